//! Text below a command's options: notes, which are wrapped, and examples, which are not wrapped so that they
//! can be copied.

use clap::Command;

/// Parts of a command's `after_help`.
#[derive(Default)]
pub struct Notes {
    /// Text without the examples.
    pub text: String,
    /// Examples, one command per line, after a line `Examples:`; empty if there are none.
    pub examples: String,
}

impl Notes {
    /// Splits a command's `after_help` at its empty lines: parts that begin with `Example` contain the
    /// examples.
    pub fn of(command: &Command) -> Notes {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let (examples, text): (Vec<&str>, Vec<&str>) =
            help.split("\n\n").filter(|part| !part.is_empty()).partition(|part| part.starts_with("Example"));
        Notes { text: text.join("\n\n"), examples: examples.join("\n\n") }
    }
}

/// Moves the examples of all commands to the end and keeps them unwrapped. Clap wraps text, but not parts of
/// a template.
pub fn with_pasteable_examples(mut command: Command) -> Command {
    let subcommands: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in subcommands {
        command = command.mut_subcommand(name, with_pasteable_examples);
    }
    let notes = Notes::of(&command);
    if notes.examples.is_empty() {
        return command;
    }
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{{all-args}}{{after-help}}\n\n{}\n",
        notes.examples
    );
    command.after_help(notes.text).help_template(template)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_not_wrapped_and_notes_are() {
        let long = ["word"; 30].join(" ");
        let help = format!("{long}\n\nExamples:\n  chuhe show {long}");
        let command = Command::new("show").about("Draws").term_width(40).after_help(help);
        let help = with_pasteable_examples(command).render_long_help().to_string();
        assert!(help.contains(&format!("  chuhe show {long}")), "{help}");
        let widest = help.lines().filter(|line| !line.contains("chuhe show")).map(str::len).max();
        assert!(widest <= Some(40), "{help}");
    }
}
