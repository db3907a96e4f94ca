//! Help: its translation, and the layout of the text below the options. Notes are wrapped; examples are
//! broken only where a shell allows it, so that they can be copied.

use crate::output::CLOSING_MARKS;
use crate::translation::catalogue::Catalogue;
use chuhe_board::words::Language;
use clap::builder::{Resettable, Str, StyledStr};
use clap::{Arg, Command};
use std::fmt::Write as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns by which clap indents the description of an argument below its name.
const INDENT: usize = 10;

/// Parts of a command's `after_help`.
#[derive(Default)]
pub(super) struct Notes {
    /// Text without the examples.
    pub text: String,
    /// Examples, one command per line, after a line `Examples:`; empty if there are none.
    pub examples: String,
}

impl Notes {
    /// Splits a command's `after_help` at its empty lines: parts that begin with `Example` contain the
    /// examples.
    pub(super) fn of(command: &Command) -> Notes {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let is_example = |part: &&str| part.starts_with("Example") || part.starts_with("示例");
        let (examples, text): (Vec<&str>, Vec<&str>) =
            help.split("\n\n").filter(|part| !part.is_empty()).partition(is_example);
        Notes { text: text.join("\n\n"), examples: examples.join("\n\n") }
    }
}

/// Moves the examples of all commands to the end. Clap wraps text, but not parts of a template. Notes and
/// Chinese text are wrapped to `width` here, since clap breaks lines only at spaces and doesn't align rows.
pub(super) fn laid_out(mut command: Command, language: Language, width: usize) -> Command {
    let subcommands = subcommands(&command, width);
    command = command.mut_subcommands(|command| laid_out(command, language, width));
    let notes = Notes::of(&command);
    let examples = match notes.examples.is_empty() {
        true => String::new(),
        false => format!("\n\n{}\n", examples_within(&notes.examples, width)),
    };
    command = command.after_help(styled(Some(folded(&notes.text, width)).filter(|text| !text.is_empty())));
    let body = match language {
        Language::English => "{usage-heading} {usage}\n\n{all-args}".to_owned(),
        Language::Chinese => chinese_body(&command, &subcommands),
    };
    let template = format!("{{before-help}}{{about-with-newline}}\n{body}{{after-help}}{examples}");
    if language == Language::English {
        return if examples.is_empty() { command } else { command.help_template(template) };
    }
    let [about, long_about] = [command.get_about(), command.get_long_about().or(command.get_about())]
        .map(|about| styled(about.map(|about| folded(&about.to_string(), width))));
    let within = |text: String| folded(&text, width.saturating_sub(INDENT));
    let command = command.mut_args(|argument| {
        let [short, long] = [argument.get_help(), argument.get_long_help()].map(|text| text.map(ToString::to_string));
        argument.next_line_help(true).help(styled(short.map(within))).long_help(styled(long.map(within)))
    });
    command.term_width(width).about(about).long_about(long_about).help_template(template)
}

/// Breaks the examples that are wider than `columns`. If a note to the right of a command does not fit, all
/// notes go below their commands.
fn examples_within(examples: &str, columns: usize) -> String {
    let examples = examples.replace("\\\n      ", "");
    let notes_fit = examples.lines().all(|line| line.width() <= columns || !line.trim_start().contains(GAP));
    let within = |line: &str| match line.trim_start().split_once(GAP) {
        Some((command, note)) if !notes_fit => {
            format!("{}\n      {}", broken(&format!("  {command}"), columns), note.trim_start())
        }
        _ => broken(line, columns),
    };
    examples.lines().map(within).collect::<Vec<_>>().join("\n")
}

/// Gap between the two columns of a row in notes and examples.
const GAP: &str = "   ";

/// Breaks a command that is wider than `columns` as a shell allows it: with backslashes, never inside quotes.
fn broken(command: &str, columns: usize) -> String {
    if command.width() <= columns {
        return command.to_owned();
    }
    let mut is_quoted = false;
    let words = command.trim_start().split(|letter: char| {
        is_quoted ^= letter == '"';
        letter == ' ' && !is_quoted
    });
    // A space and a backslash follow every line but the last.
    let fits = |line: &str, more: &str| line.width() + 1 + more.width() + 2 <= columns;
    let mut units: Vec<String> = Vec::new();
    for word in words {
        match units.last_mut() {
            // An option stays on the same line as its value.
            Some(unit) if unit.starts_with("--") && !word.starts_with('-') && fits(&format!("      {unit}"), word) => {
                unit.extend([" ", word]);
            }
            _ => units.push(word.to_owned()),
        }
    }
    let mut lines = vec![" ".repeat(command.len() - command.trim_start().len())];
    for unit in units {
        let line = lines.last_mut().expect("there is a line");
        match line.trim_start().is_empty() {
            true => line.push_str(&unit),
            false if fits(line, &unit) => line.extend([" ", &unit]),
            false => lines.push(format!("      {unit}")),
        }
    }
    lines.join(" \\\n")
}

/// Returns the subcommands with their short descriptions. clap would not wrap them, and would mention aliases
/// only in English.
fn subcommands(command: &Command, width: usize) -> String {
    let literal = command.get_styles().get_literal();
    let shown = || command.get_subcommands().filter(|command| !command.is_hide_set());
    let longest = shown().map(|command| command.get_name().len()).max().unwrap_or_default();
    let line = |command: &Command| {
        let aliases = command.get_visible_aliases().map(|alias| format!(" [别名：{alias}]")).collect::<String>();
        let about = command.get_about().map(ToString::to_string).unwrap_or_default() + &aliases;
        let about =
            folded(&about, width.saturating_sub(longest + 4)).replace('\n', &format!("\n{:1$}", "", longest + 4));
        format!("  {literal}{}{literal:#}{:2$}  {about}", command.get_name(), "", longest - command.get_name().len())
    };
    shown().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the template of the arguments and subcommands with Chinese headings.
fn chinese_body(command: &Command, subcommands: &str) -> String {
    let (heading, usage) = (command.get_styles().get_header(), command.get_styles().get_usage());
    let mut body = format!("{usage}用法：{usage:#}{{usage}}");
    let sections = [
        (command.has_subcommands(), "命令", subcommands),
        (command.get_positionals().next().is_some(), "参数", "{positionals}"),
        (true, "选项", "{options}"),
    ];
    for (_, name, tag) in sections.iter().filter(|(exists, ..)| *exists) {
        let _ = write!(body, "\n\n{heading}{name}：{heading:#}\n{tag}");
    }
    body
}

/// Translates the help of a command and of its subcommands.
pub(super) fn translated(command: Command, language: Language) -> Command {
    if language == Language::English {
        return command;
    }
    // Clap adds its own options and the names of nested commands only in these calls.
    let mut command = command.bin_name("chuhe");
    command.build();
    in_chinese(command)
}

fn in_chinese(command: Command) -> Command {
    let mut command = command.mut_args(argument_in_chinese).mut_subcommands(in_chinese);
    let usage = command.render_usage().to_string().replace("[OPTIONS]", "[选项]").replace("COMMAND", "命令");
    let [about, long_about, notes] = [command.get_about(), command.get_long_about(), command.get_after_help()]
        .map(|text| text.map(|text| paragraphs(&text.to_string())));
    // `用法：` is narrower than `Usage: `.
    let usage = usage.trim_start_matches("Usage: ").replace("\n       ", "\n      ");
    let command = command.override_usage(usage).about(styled(about));
    command.long_about(styled(long_about)).after_help(styled(notes))
}

/// Translates an argument; its default and its possible values become part of the description.
fn argument_in_chinese(argument: Arg) -> Arg {
    let [help, long] =
        [argument.get_help(), argument.get_long_help()].map(|text| text.map(|text| paragraphs(&text.to_string())));
    let takes_values = argument.get_action().takes_values();
    let shown = |is_hidden: bool| takes_values && !is_hidden;
    let values: Vec<_> = match shown(argument.is_hide_possible_values_set()) {
        true => argument.get_possible_values().into_iter().filter(|value| !value.is_hide_set()).collect(),
        false => Vec::new(),
    };
    let names: Vec<String> = values.iter().map(|value| value.get_name().to_owned()).collect();
    let mut list = String::new();
    for value in &values {
        let about = value.get_help().map(|help| format!("：{}", paragraphs(&help.to_string()))).unwrap_or_default();
        let _ = write!(list, "\n- {}{about}", value.get_name());
    }
    let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let default = match shown(argument.is_hide_default_value_set()) && !defaults.is_empty() {
        true => format!(" [默认：{}]", defaults.join(" ")),
        false => String::new(),
    };
    let all = if names.is_empty() { String::new() } else { format!(" [可选：{}]", names.join("、")) };
    let short = help.clone().map(|help| help + &all + &default);
    let has_descriptions = values.iter().any(|value| value.get_help().is_some());
    let list = if has_descriptions { format!("\n可选：{list}\n") } else { all };
    // The default follows a list of values on its own line.
    let behind = if has_descriptions { default.trim_start() } else { default.as_str() };
    let long = long.or(help).map(|help| help + &list + behind);
    let in_chinese = |name: &Str| Catalogue::chinese().exact(name).map_or_else(|| name.clone(), Str::from);
    let value_names: Option<Vec<Str>> = argument.get_value_names().map(|names| names.iter().map(in_chinese).collect());
    let argument =
        argument.hide_default_value(true).hide_possible_values(true).help(styled(short)).long_help(styled(long));
    match value_names.filter(|_| takes_values) {
        Some(names) => argument.value_names(names),
        None => argument,
    }
}

fn styled(text: Option<String>) -> Resettable<StyledStr> {
    text.map(StyledStr::from).into()
}

/// Translates a text of several paragraphs. In a list of examples, only the heading and the notes to the
/// right of commands have translations.
fn paragraphs(text: &str) -> String {
    let catalogue = Catalogue::chinese();
    let paragraph = |text: &str| match text.strip_prefix("Examples:").or_else(|| text.strip_prefix("Example:")) {
        Some(commands) => format!("示例：{}", commands.split('\n').map(example).collect::<Vec<_>>().join("\n")),
        None => catalogue.exact(text).unwrap_or(text).to_owned(),
    };
    text.split("\n\n").map(paragraph).collect::<Vec<_>>().join("\n\n")
}

/// Translates the note to the right of a command.
fn example(line: &str) -> String {
    match line.rsplit_once(GAP).and_then(|(command, note)| Some((command, Catalogue::chinese().exact(note)?))) {
        Some((command, note)) => format!("{command}{GAP}{note}"),
        None => line.to_owned(),
    }
}

/// Wraps the lines of a text that are wider than `columns`: between Chinese characters, but neither inside a
/// Latin word nor before a closing or after an opening mark. Continuation lines are indented like their first
/// line or, in a row with two columns, like the second column.
fn folded(text: &str, columns: usize) -> String {
    let fold = |line: &str| {
        let spaces = line.len() - line.trim_start().len();
        let (indent, rest) = line.split_at(if line[spaces..].starts_with("- ") { spaces + 2 } else { spaces });
        // Text before the second column of a row; empty if the second column begins far to the right.
        let row = rest.find(GAP).map_or("", |gap| &rest[..rest.len() - rest[gap..].trim_start().len()]);
        let row = if indent.len() + row.width() <= columns / 2 { row } else { "" };
        let rest = &rest[row.len()..];
        let hanging = indent.len() + row.width();
        let mut lines = vec![format!("{indent}{row}")];
        for unit in units(rest) {
            let line = lines.last_mut().expect("there is a line");
            if line.width() + unit.trim_end().width() <= columns || line.width() == hanging {
                line.push_str(&unit);
            } else {
                lines.push(" ".repeat(hanging) + &unit);
            }
        }
        lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
    };
    text.split('\n')
        .map(|line| if line.width() <= columns { line.to_owned() } else { fold(line) })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Splits a line into parts that must not be broken.
fn units(line: &str) -> Vec<String> {
    let is_latin = |letter: char| letter != ' ' && letter.width() == Some(1);
    let mut units: Vec<String> = Vec::new();
    for letter in line.chars() {
        match units.last_mut().and_then(|unit| unit.chars().last().map(|before| (unit, before))) {
            Some((unit, before))
                if letter == ' '
                    || CLOSING_MARKS.contains(letter)
                    || "]…".contains(letter)
                    || "（“[".contains(before)
                    || is_latin(letter) && is_latin(before) =>
            {
                unit.push(letter);
            }
            _ => units.push(letter.into()),
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_wrapped_and_examples_broken_as_a_shell_allows() {
        let long = ["word"; 30].join(" ");
        let help = format!("{long}\n\nExamples:\n  chuhe show --moves \"h2e2 h9g7\" \\\n      --ply 1 --svg a.svg");
        let command = Command::new("show").about("Draws").term_width(40).after_help(help);
        let shown = |width| laid_out(command.clone(), Language::English, width).render_long_help().to_string();
        let help = shown(40);
        assert!(help.ends_with("\n  chuhe show --moves \"h2e2 h9g7\" \\\n      --ply 1 --svg a.svg\n"), "{help}");
        assert!(help.lines().all(|line| line.len() <= 40), "{help}");
        assert!(!help.contains("\n\n\n"), "{help}");
        assert!(shown(80).contains("  chuhe show --moves \"h2e2 h9g7\" --ply 1 --svg a.svg\n"), "{}", shown(80));
    }

    #[test]
    fn notes_on_the_right_of_commands_go_below_if_there_is_no_room() {
        let examples = "Examples:\n  chuhe          speaks UCI\n  chuhe show     draws the board";
        assert_eq!(examples_within(examples, 32), examples);
        let below = "Examples:\n  chuhe\n      speaks UCI\n  chuhe show\n      draws the board";
        assert_eq!(examples_within(examples, 31), below);
    }

    #[test]
    fn chinese_is_wrapped_between_characters() {
        assert_eq!(
            folded("  搜索到此深度（以着计），或用 --nodes。", 20),
            "  搜索到此深度（以着\n  计），或用\n  --nodes。"
        );
        assert_eq!(folded("短\n- 四个汉字，四个汉字", 12), "短\n- 四个汉字，\n  四个汉字");
        assert_eq!(folded("  a=b   四个汉字四个汉字", 18), "  a=b   四个汉字四\n        个汉字");
    }
}
