//! The lines that `log --graph` draws beside commits.

use super::objects::Id;

/// The branches that are open between two commits, from left to right.
#[derive(Default)]
pub struct Graph {
    columns: Vec<Id>,
}

/// What stands before the lines of one commit.
pub struct Rows {
    /// Before its first line.
    pub first: String,
    /// Rows of their own between the first line and the others.
    pub after: Vec<String>,
    /// Before all other lines.
    pub rest: String,
    /// Rows of their own behind the last line.
    pub end: Vec<String>,
}

impl Graph {
    /// Draws a commit with the parents that will follow.
    pub fn draw(&mut self, commit: &Id, parents: &[Id]) -> Rows {
        let at = self
            .columns
            .iter()
            .position(|id| id == commit)
            .unwrap_or_else(|| {
                self.columns.push(*commit);
                self.columns.len() - 1
            });
        let count = parents.len();
        // Where each edge goes: the commit's own ones take the place of its column.
        let mut edges: Vec<Id> = self.columns[..at].to_vec();
        edges.extend_from_slice(parents);
        edges.extend_from_slice(&self.columns[at + 1..]);
        let mut columns: Vec<Id> = Vec::new();
        for id in &edges {
            if !columns.contains(id) {
                columns.push(*id);
            }
        }
        let bars = |number: usize| "| ".repeat(number);
        let behind = self.columns.len() - at - 1;
        let mut first = bars(at) + "*";
        if count > 2 {
            first += &"-".repeat((count - 3) * 2 + 1);
            first += ".";
        }
        first += " ";
        first += &bars(behind);
        let mut after = Vec::new();
        if count > 1 {
            first += &" ".repeat((2 * edges.len()).saturating_sub(first.len()));
            after.push(format!(
                "{}|{} ",
                bars(at),
                "\\ ".repeat(count - 1 + behind)
            ));
            let width = 2 * edges.len();
            for row in &mut after {
                let text = row.trim_end().to_owned();
                *row = format!("{text:<width$}");
            }
        }
        let target = |id: &Id| columns.iter().position(|column| column == id).unwrap_or(0);
        let mapping: Vec<usize> = edges.iter().map(target).collect();
        let mut end = Vec::new();
        // A commit without parents that are shown leaves a gap, which closes at once.
        let old: Vec<usize> = (0..edges.len())
            .map(|edge| {
                if count == 0 && edge >= at {
                    edge + 1
                } else {
                    edge
                }
            })
            .collect();
        collapse(&old, &mapping, &mut end);
        let rest = bars(edges.len());
        self.columns = columns;
        Rows {
            first,
            after,
            rest,
            end,
        }
    }
}

/// Rows in which edges move left to their columns, one place in each row.
fn collapse(from: &[usize], to: &[usize], rows: &mut Vec<String>) {
    // The place of each edge on the screen: columns are at even places.
    let mut places: Vec<usize> = from.iter().map(|column| 2 * column).collect();
    let goals: Vec<usize> = to.iter().map(|column| 2 * column).collect();
    let width = places.iter().max().map_or(0, |most| most + 2);
    while places != goals {
        let mut cells: Vec<char> = vec![' '; width];
        let mut next: Vec<usize> = Vec::with_capacity(places.len());
        for (at, (&place, &goal)) in places.iter().zip(&goals).enumerate() {
            if place == goal {
                cells[place] = '|';
                next.push(place);
                continue;
            }
            // Edges to the left that stay are crossed, and those with the same goal are joined.
            let left = |cell: usize| (0..at).find(|other| next[*other] == cell);
            let moved = match left(place - 1).or_else(|| left(place - 2)) {
                Some(other) if goals[other] == goal && left(place - 1).is_none() => {
                    cells[place - 1] = '/';
                    goal
                }
                _ => {
                    cells[place - 1] = '/';
                    if place - goal <= 2 { goal } else { place - 2 }
                }
            };
            next.push(moved);
        }
        rows.push(cells.into_iter().collect::<String>());
        places = next;
    }
}
