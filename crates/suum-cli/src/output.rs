//! Data on standard output, messages on standard error.

use std::io::{self, ErrorKind, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use suum::{Answer, Error, Result, View, Voice};
use terminal_size::{Width, terminal_size_of};

use crate::arguments::{ALONE, AnswerFormat};

/// Prints an answer in the requested format. A closed pipe is not a failure, unless a ledger was
/// charged for the answer.
pub(crate) fn say(answer: &Answer, format: AnswerFormat, view: View) -> Result<()> {
    answer.warnings().iter().for_each(|warning| warn(warning));
    let said = match format {
        AnswerFormat::Text => answer.text_for(&on_screen(view)),
        AnswerFormat::Json => answer.json()?,
        AnswerFormat::Markdown => answer.markdown(&view),
        AnswerFormat::Csv => answer.csv()?,
    };
    let mut out = io::stdout().lock();
    match out.write_all(said.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe || answer.is_charged() => {
            let kind = error.kind();
            return Err(Error::io(
                "standard output",
                format!("the answer could not be written ({kind})"),
            )
            .with_fix(to_get_it_again(answer, format)));
        }
        _ => {}
    }
    answer.refusal().cloned().map_or(Ok(()), Err)
}

/// Way to an answer that could not be written.
fn to_get_it_again(answer: &Answer, format: AnswerFormat) -> String {
    match (answer.command_to_show_again(), format) {
        (Some(command), AnswerFormat::Json) => {
            format!("{command} --format json shows it; nobody pays again")
        }
        (Some(command), _) => format!("{command} shows it; nobody pays again"),
        (None, _) if answer.is_charged() => {
            "what was reserved counts as spent, and the answer could not be stored in the ledger \
             either"
                .to_owned()
        }
        (None, _) => "make room where it is written to, and run again".to_owned(),
    }
}

/// View on the screen that reads standard output: as wide as `COLUMNS` says, or the terminal; with
/// styles on a terminal only, unless `NO_COLOR` or `CLICOLOR_FORCE` say otherwise.
fn on_screen(mut view: View) -> View {
    let declared = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let columns = declared
        .filter(|columns| *columns > 0)
        .or_else(|| terminal_size_of(io::stdout()).map(|(Width(columns), _)| usize::from(columns)));
    view.styled = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    columns.map_or(view, |columns| view.wide(columns))
}

/// Prints examples for the command without arguments; for a command with subcommands, its help.
pub(crate) fn example(usage: &clap::Error, alone: bool) {
    match alone {
        true => drop(io::stderr().write_all(ALONE.as_bytes())),
        false => drop(usage.print()),
    }
}

/// Prints an error and its way out.
pub(crate) fn complain(error: &Error, voice: &dyn Voice) {
    tell("error", AnsiColor::Red.on_default().bold(), &error.render_for(voice));
    if let Some(fix) = error.fix() {
        hint(&fix.render_for(voice));
    }
}

/// Prints a way out.
pub(crate) fn hint(text: &str) {
    tell("hint", AnsiColor::Green.on_default().bold(), text);
}

/// Prints a warning.
pub(crate) fn warn(text: &str) {
    tell("warning", AnsiColor::Yellow.on_default().bold(), text);
}

/// Prints a message on standard error, whose first word has this style on a terminal. Failures to
/// write it are ignored.
fn tell(what: &str, style: Style, text: &str) {
    let _ = writeln!(anstream::stderr(), "{style}{what}:{style:#} {text}");
}
