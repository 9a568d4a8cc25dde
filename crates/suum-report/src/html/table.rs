//! Tables: each column knows what it shows of a row.

use maud::{Markup, Render, html};

use crate::table::selection;

/// A table of which every row shows a `T`. It scrolls in its own box where it is too wide. Its
/// first column names the rows.
pub(crate) struct Table<'a, T> {
    caption: String,
    /// At `None` some are left out.
    rows: Vec<Option<T>>,
    columns: Vec<Column<'a, T>>,
}

struct Column<'a, T> {
    class: &'static str,
    heading: Markup,
    show: Box<dyn Fn(&T) -> Markup + 'a>,
}

impl<'a, T> Table<'a, T> {
    /// A table of these rows, without columns yet.
    pub(crate) fn new(caption: impl Into<String>, rows: impl IntoIterator<Item = T>) -> Self {
        let rows = rows.into_iter().map(Some).collect();
        Self { caption: caption.into(), rows, columns: Vec::new() }
    }

    fn column<R: Render>(
        mut self,
        class: &'static str,
        heading: impl Render,
        show: impl Fn(&T) -> R + 'a,
    ) -> Self {
        let show = Box::new(move |row: &T| show(row).render());
        self.columns.push(Column { class, heading: heading.render(), show });
        self
    }

    /// The same with a column of words.
    pub(crate) fn words<R: Render>(
        self,
        heading: impl Render,
        show: impl Fn(&T) -> R + 'a,
    ) -> Self {
        self.column("words", heading, show)
    }

    /// The same with a column of numbers.
    pub(crate) fn number<R: Render>(
        self,
        heading: impl Render,
        show: impl Fn(&T) -> R + 'a,
    ) -> Self {
        self.column("number", heading, show)
    }

    /// The same with a column of drawings.
    pub(crate) fn drawing<R: Render>(
        self,
        heading: impl Render,
        show: impl Fn(&T) -> R + 'a,
    ) -> Self {
        self.column("drawing", heading, show)
    }

    /// The same with a column of drawings that narrow screens leave out.
    pub(crate) fn narrow_drawing<R: Render>(
        self,
        heading: impl Render,
        show: impl Fn(&T) -> R + 'a,
    ) -> Self {
        self.column("drawing narrow", heading, show)
    }

    /// The same with what else `more` adds, if that is wanted.
    pub(crate) fn when(self, wanted: bool, more: impl FnOnce(Self) -> Self) -> Self {
        if wanted { more(self) } else { self }
    }

    /// The cells of a row, of which the first names it, unless its name is that of the row above.
    fn cells(&self, row: &T) -> Markup {
        html! {
            @for (at, column) in self.columns.iter().enumerate() {
                @let shown = (column.show)(row);
                @if at == 0 && !shown.0.is_empty() {
                    th scope="row" { (shown) }
                } @else {
                    td class=(column.class) { (shown) }
                }
            }
        }
    }
}

impl<'a, R> Table<'a, &'a R> {
    /// A table of these rows, or of the first and the last ones of very many.
    pub(crate) fn at_most(limit: usize, caption: impl Into<String>, rows: &'a [R]) -> Self {
        let rows = selection(rows.len(), limit).into_iter().map(|at| rows.get(at?)).collect();
        Self { caption: caption.into(), rows, columns: Vec::new() }
    }
}

impl<T> Render for Table<'_, T> {
    fn render(&self) -> Markup {
        html! {
            div class="scroll" role="region" aria-label=(self.caption) tabindex="0" {
                table {
                    caption { span { (self.caption) } }
                    thead {
                        tr {
                            @for column in &self.columns {
                                th scope="col" class=(column.class) { (column.heading) }
                            }
                        }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                @match row {
                                    Some(row) => (self.cells(row)),
                                    None => td colspan=(self.columns.len()) {
                                        "… (the JSON has all)"
                                    },
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
