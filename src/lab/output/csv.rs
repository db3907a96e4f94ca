//! Comma-separated values as read by spreadsheets (RFC 4180).

/// Formats one row with its line ending. Fields that contain a comma, a quote or a line break are quoted.
///
/// ```
/// use chuhe_lab::output::csv;
/// assert_eq!(csv::line(["alpha-beta", "4,120", "the \"shallow\" one"]), "alpha-beta,\"4,120\",\"the \"\"shallow\"\" one\"\n");
/// ```
pub fn line<Field: AsRef<str>>(fields: impl IntoIterator<Item = Field>) -> String {
    let fields: Vec<String> = fields.into_iter().map(|field| quoted(field.as_ref())).collect();
    fields.join(",") + "\n"
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_fields_stay_bare() {
        assert_eq!(line(["depth", "", "马八进七"]), "depth,,马八进七\n");
    }

    #[test]
    fn a_line_break_inside_a_field_is_quoted() {
        assert_eq!(line(["a\nb", "c"]), "\"a\nb\",c\n");
    }
}
