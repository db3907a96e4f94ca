//! Index page of a review of many games: totals for each player, and links to the pages of the games.

use super::moment_id;
use super::page::page;
use crate::review::report::JUDGEMENTS;
use crate::review::{Judgement, Report, Total};
use chuhe_board::Side;
use chuhe_board::words::{Key, Language};
use maud::{Markup, html};

impl Report<'_> {
    /// Returns a row of [`index`]: the game's number, players, result and accuracies, with a link to
    /// `NUMBER.html`.
    pub fn index_row(&self, number: usize) -> Markup {
        html! {
            tr {
                td class="number" { a href={ (number) ".html" } { (number) } }
                @for side in Side::ALL { td { (self.player(side)) } }
                td { (self.claimed()) }
                @for side in Side::ALL { td class="number" { (self.accuracy(side)) } }
            }
        }
    }
}

/// Returns the page: totals of all games, and their rows.
pub fn index(language: Language, totals: &[Total], rows: &[&Markup]) -> String {
    let heads = [Key::Game, Key::Red, Key::Black, Key::Result, Key::AccuracyOfRed, Key::AccuracyOfBlack];
    let title = language.word(Key::ReviewedGames);
    let body = html! {
        main {
            h1 { (title) }
            (table_of_totals(language, totals))
            table {
                thead { tr { @for head in heads { th scope="col" { (language.word(head)) } } } }
                tbody { @for row in rows { (row) } }
            }
        }
    };
    page(language, title, None, &body)
}

/// Returns the mean accuracy of games with one colour; empty if there are none.
fn accuracy_with((games, accuracy): (usize, f64)) -> String {
    if games == 0 { String::new() } else { format!("{accuracy:.0}") }
}

fn table_of_totals(language: Language, totals: &[Total]) -> Markup {
    let judgements = JUDGEMENTS.map(Judgement::plural);
    let colours = [Key::AccuracyAsRed, Key::AccuracyAsBlack];
    let heads = [Key::ColumnGames, Key::Accuracy].into_iter().chain(colours).chain(judgements);
    html! {
        table {
            thead { tr {
                th scope="col" { (language.word(Key::Player)) }
                @for head in heads { th scope="col" class="number" { (language.word(head)) } }
                th scope="col" { (language.word(Key::WorstMoments)) }
            } }
            tbody {
                @for total in totals {
                    tr {
                        th scope="row" { (total.player) }
                        td class="number" { (total.games) }
                        td class="number" { (format!("{:.0}", total.accuracy)) }
                        @for colour in total.colours { td class="number" { (accuracy_with(colour)) } }
                        @for count in total.counts { td class="number" { (count) } }
                        td {
                            @for moment in &total.worst {
                                a href={ (moment.game) ".html#" (moment_id(moment.ply)) } { (moment.game) ": " (moment.mv) } " "
                            }
                        }
                    }
                }
            }
        }
    }
}
