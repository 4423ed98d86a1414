//! Patterns with groups: a nondeterministic automaton, simulated.
//!
//! All states that the text so far allows are followed at once, so a search takes time in
//! proportion to pattern × text, however the groups nest. `!(…)` is no state of an automaton: where
//! one begins, the ends of all matches of its body are found by a search of their own, and what
//! follows it goes on from every other place.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::Options;
use super::character::{Character, decode, fold};
use super::parse::{Node, Quantity};
use super::set::Set;

/// The number of a state.
type State = usize;

/// How many ends of `!(…)` bodies a search remembers, to bound its memory.
const MEMORY: usize = 1 << 18;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(super) struct Automaton {
    states: Vec<Step>,
    ignore_case: bool,
    bytewise: bool,
}

#[derive(Debug, Clone)]
enum Step {
    /// Takes one character and goes to the next state.
    Character(Character),
    Any,
    Set(Box<Set>),
    /// Takes any character and stays, or goes on.
    Star,
    /// Goes on in each of these.
    Fork(Vec<State>),
    /// Goes to `exit` after any text that the states from the next one on do not match.
    Not {
        exit: State,
    },
    Accept,
}

/// What a search looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Goal {
    /// Matches begin at the start of the search only.
    pub(super) anchored: bool,
    /// Matches end with the text only.
    pub(super) to_end: bool,
    /// Of several starts, the last one.
    pub(super) last_start: bool,
    /// Of several ends, the first one.
    pub(super) first_end: bool,
}

impl Automaton {
    pub(super) fn new(nodes: &[Node], options: Options) -> Automaton {
        let mut automaton = Automaton {
            states: Vec::new(),
            ignore_case: options.ignore_case,
            bytewise: options.bytewise,
        };
        automaton.compile(nodes);
        automaton.states.push(Step::Accept);
        automaton
    }

    fn compile(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Character(character) => self.states.push(Step::Character(*character)),
                Node::Any => self.states.push(Step::Any),
                Node::Star => self.states.push(Step::Star),
                Node::Set(set) => self.states.push(Step::Set(Box::new(set.clone()))),
                Node::Group(quantity, alternatives) => self.group(*quantity, alternatives),
            }
        }
    }

    fn group(&mut self, quantity: Quantity, alternatives: &[Vec<Node>]) {
        let head = self.states.len();
        if quantity == Quantity::Not {
            self.states.push(Step::Not { exit: 0 });
            self.alternatives(alternatives);
            self.states.push(Step::Accept);
            self.states[head] = Step::Not {
                exit: self.states.len(),
            };
            return;
        }
        self.alternatives(alternatives);
        let tail = self.states.len();
        // Alternatives that are not followed by anything else end at `tail`.
        if matches!(quantity, Quantity::Some | Quantity::Any) {
            self.states.push(Step::Fork(vec![head, tail + 1]));
        }
        if matches!(quantity, Quantity::Optional | Quantity::Any) {
            let exit = self.states.len();
            if let Step::Fork(targets) = &mut self.states[head] {
                targets.push(exit);
            }
        }
    }

    /// A fork at `head`, each alternative, and a jump to the end after each.
    fn alternatives(&mut self, alternatives: &[Vec<Node>]) {
        let head = self.states.len();
        self.states.push(Step::Fork(Vec::new()));
        let mut starts = Vec::new();
        let mut jumps = Vec::new();
        for nodes in alternatives {
            starts.push(self.states.len());
            self.compile(nodes);
            jumps.push(self.states.len());
            self.states.push(Step::Fork(Vec::new()));
        }
        let end = self.states.len();
        self.states[head] = Step::Fork(starts);
        for jump in jumps {
            self.states[jump] = Step::Fork(vec![end]);
        }
    }
}

/// A search of one text, which may be asked several times.
pub(super) struct Search<'a> {
    automaton: &'a Automaton,
    text: &'a [u8],
    /// The text begins with a dot that only a dot matches.
    hidden: bool,
    /// The ends of the bodies of `!(…)`: by state and start.
    ends: HashMap<(State, usize), Rc<[usize]>>,
    remembered: usize,
    /// Sets of states to use again.
    pool: Vec<Threads>,
}

/// The states that are active at one place of the text, in order of preference, each with the
/// start of its match.
#[derive(Default)]
struct Threads {
    list: Vec<(State, usize)>,
    seen: Vec<bool>,
}

impl Threads {
    fn clear(&mut self, states: usize) {
        self.list.clear();
        self.seen.clear();
        self.seen.resize(states, false);
    }
}

/// Where texts end that `!(…)` leaves over: for each exit and place, the preferred start.
type Pending = HashMap<State, Vec<Option<usize>>>;

impl<'a> Search<'a> {
    pub(super) fn new(automaton: &'a Automaton, text: &'a [u8]) -> Search<'a> {
        Search {
            automaton,
            text,
            hidden: false,
            ends: HashMap::new(),
            remembered: 0,
            pool: Vec::new(),
        }
    }

    /// The same search, but a dot at the start of the text is matched by a dot alone.
    pub(super) fn keep_dot(mut self) -> Search<'a> {
        self.hidden = self.text.first() == Some(&b'.');
        self
    }

    /// The match that meets the goal.
    pub(super) fn find(&mut self, from: usize, goal: Goal) -> Option<Range<usize>> {
        let mut best: Option<Range<usize>> = None;
        self.run(0, from, goal, &mut |start, end| {
            if best
                .as_ref()
                .is_none_or(|best| better(goal, start, best.start) || start == best.start)
            {
                best = Some(start..end);
            }
        });
        best
    }

    /// Follows all states from `entry` on and reports matches, by ascending end; stops where no
    /// better match can come.
    fn run(&mut self, entry: State, from: usize, goal: Goal, report: &mut dyn FnMut(usize, usize)) {
        let mut threads = self.pool.pop().unwrap_or_default();
        let mut next = self.pool.pop().unwrap_or_default();
        let mut pending = Pending::new();
        let mut seeds = vec![(entry, from)];
        let mut found: Option<usize> = None;
        let mut at = from;
        loop {
            threads.clear(self.automaton.states.len());
            if goal.last_start {
                seeds.sort_by_key(|seed| std::cmp::Reverse(seed.1));
            } else {
                seeds.sort_by_key(|seed| seed.1);
            }
            self.close(&mut threads, &mut seeds, &mut pending, goal, at);
            if !goal.to_end || at == self.text.len() {
                for &(state, start) in &threads.list {
                    if matches!(self.automaton.states[state], Step::Accept) {
                        report(start, at);
                        found = Some(start);
                        break;
                    }
                }
            }
            let Some((character, length)) = decode(self.text, at, self.automaton.bytewise) else {
                break;
            };
            if found.is_some() && goal.first_end {
                break;
            }
            self.step(&threads, character, self.hidden && at == 0, &mut seeds);
            at += length;
            seeds.extend(
                pending
                    .iter()
                    .filter_map(|(&exit, starts)| starts[at].map(|start| (exit, start))),
            );
            if let Some(best) = found {
                // Once a match is known, only those that it does not beat go on.
                seeds.retain(|&(_, start)| start == best || better(goal, start, best));
            } else if !goal.anchored {
                seeds.push((entry, at));
            }
            if seeds.is_empty() && pending.is_empty() {
                break;
            }
            std::mem::swap(&mut threads, &mut next);
        }
        self.pool.push(threads);
        self.pool.push(next);
    }

    /// Moves every thread over one character, into `seeds`.
    fn step(
        &self,
        threads: &Threads,
        character: Character,
        hidden: bool,
        seeds: &mut Vec<(State, usize)>,
    ) {
        seeds.clear();
        for &(state, start) in &threads.list {
            let target = match &self.automaton.states[state] {
                Step::Character(wanted) if *wanted == character => state + 1,
                Step::Character(wanted)
                    if self.automaton.ignore_case && *wanted == fold(character) =>
                {
                    state + 1
                }
                Step::Any if !hidden => state + 1,
                Step::Set(set) if !hidden && set.contains(character) => state + 1,
                Step::Star if !hidden => state,
                _ => continue,
            };
            seeds.push((target, start));
        }
    }

    /// Adds the seeds and all states that they lead to without a character.
    fn close(
        &mut self,
        threads: &mut Threads,
        seeds: &mut Vec<(State, usize)>,
        pending: &mut Pending,
        goal: Goal,
        at: usize,
    ) {
        let mut stack: Vec<(State, usize)> = Vec::new();
        for seed in seeds.drain(..) {
            stack.push(seed);
            while let Some((state, start)) = stack.pop() {
                if std::mem::replace(&mut threads.seen[state], true) {
                    continue;
                }
                match &self.automaton.states[state] {
                    Step::Fork(targets) => {
                        stack.extend(targets.iter().map(|&target| (target, start)));
                    }
                    Step::Not { exit } => {
                        if self.leave_over((state + 1, *exit), start, at, goal, pending) {
                            stack.push((*exit, start));
                        }
                    }
                    Step::Star => {
                        threads.list.push((state, start));
                        stack.push((state + 1, start));
                    }
                    _ => threads.list.push((state, start)),
                }
            }
        }
    }

    /// Notes where `!(…)` that begins at `at` can end; says whether it can right here.
    fn leave_over(
        &mut self,
        (body, exit): (State, State),
        start: usize,
        at: usize,
        goal: Goal,
        pending: &mut Pending,
    ) -> bool {
        if self.hidden && at == 0 {
            return false;
        }
        let ends = self.ends(body, at);
        let mut ends = ends.iter().copied().peekable();
        let here = ends.next_if_eq(&at).is_none();
        let places = self.text.len() + 1;
        let starts = pending.entry(exit).or_insert_with(|| vec![None; places]);
        let mut place = at;
        while let Some((_, length)) = decode(self.text, place, self.automaton.bytewise) {
            place += length;
            if ends.next_if_eq(&place).is_none() {
                let known = &mut starts[place];
                if known.is_none_or(|known| better(goal, start, known)) {
                    *known = Some(start);
                }
            }
        }
        here
    }

    /// Where the matches of a `!(…)` body end that begin at `at`, ascending.
    fn ends(&mut self, body: State, at: usize) -> Rc<[usize]> {
        if let Some(ends) = self.ends.get(&(body, at)) {
            return Rc::clone(ends);
        }
        let mut ends = Vec::new();
        let goal = Goal {
            anchored: true,
            ..Goal::default()
        };
        self.run(body, at, goal, &mut |_, end| ends.push(end));
        let ends: Rc<[usize]> = ends.into();
        self.remembered += ends.len() + 1;
        if self.remembered > MEMORY {
            self.ends.clear();
            self.remembered = ends.len() + 1;
        }
        self.ends.insert((body, at), Rc::clone(&ends));
        ends
    }
}

/// Whether a match that begins at `start` is preferred to one that begins at `other`.
fn better(goal: Goal, start: usize, other: usize) -> bool {
    if goal.last_start {
        start > other
    } else {
        start < other
    }
}
