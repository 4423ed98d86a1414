//! `git push` (Documentation/git-push).
//!
//! One run for each URL of the remote: the other side's references are listed, the refspecs become updates of single
//! references, each is judged here (fast-forward, tags, leases), and what may go is sent with one pack. The other
//! side judges again and reports for each reference; then the references that follow it here are moved, and `-u`
//! writes settings.
//!
//! The pack holds what is reachable from the new tips and not from any tip that the other side listed, whole objects
//! without deltas against what it has (no thin packs). `--mirror`, `--prune`, `--signed`, `--push-option`,
//! `--porcelain` and `--force-if-includes` are refused; `--thin`, `--verify`, `--progress` and `--recurse-submodules`
//! have no effect.

use super::super::branch::{edit_config, identity};
use super::super::config;
use super::super::flags::Flags;
use super::super::hooks::{self, Hook};
use super::super::objects::{Id, none};
use super::super::repository::Repository;
use super::super::revision;
use super::super::stop::{Outcome, Stop, error, fatal, quiet, usage};
use super::super::walk::is_ancestor;
use super::advert::Advert;
use super::pack::Limits;
use super::reasons::{
    Refusal, hints, no_destination, no_upstream, not_on_a_branch, other_upstream,
};
use super::refspec::Refspec;
use super::transport::{Command, Service, Transport};
use super::url::without_secrets;
use super::{Remote, default_name, names, pack, pretty};
use crate::call::bytes;
use crate::options::{Opt, Value};

/// The options that are read. Some are known only so that they can be refused by name.
const OPTIONS: &[Opt] = &[
    Opt("u", "set-upstream", Value::No),
    Opt("f", "force", Value::No),
    Opt("", "force-with-lease", Value::Optional),
    Opt("", "force-if-includes", Value::No),
    Opt("d", "delete", Value::No),
    Opt("n", "dry-run", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("", "all", Value::No),
    Opt("", "branches", Value::No),
    Opt("", "mirror", Value::No),
    Opt("", "tags", Value::No),
    Opt("", "follow-tags", Value::No),
    Opt("", "porcelain", Value::No),
    Opt("", "progress", Value::No),
    Opt("", "verify", Value::No),
    Opt("", "thin", Value::No),
    Opt("", "atomic", Value::No),
    Opt("", "signed", Value::Optional),
    Opt("", "prune", Value::No),
    Opt("o", "push-option", Value::Required),
    Opt("", "recurse-submodules", Value::Required),
    Opt("", "repo", Value::Required),
    Opt("4", "ipv4", Value::No),
    Opt("6", "ipv6", Value::No),
];

/// A reference that is to change there. `old == new` is one that is up to date.
struct Update {
    /// What it was called here, where it has a name: a reference, a word such as `HEAD`. None for a deletion.
    source: Option<Vec<u8>>,
    /// The full name there.
    name: Vec<u8>,
    /// What the other side listed; null where it has no such reference.
    old: Id,
    /// What it is to be; null for a deletion.
    new: Id,
    /// By `-f` or the `+` of its refspec: it need not be a fast-forward.
    force: bool,
    /// Why it will not be or was not done, by our judgement or the other side's.
    refused: Option<Refusal>,
}

/// `git push`. With several URLs the status is the highest; each goes its way, whatever the others came to.
pub fn command(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    let unsupported = [
        "mirror",
        "prune",
        "signed",
        "o",
        "porcelain",
        "force-if-includes",
    ];
    if let Some(name) = unsupported.iter().find(|name| flags.has(name)) {
        let name = if *name == "o" { "push-option" } else { name };
        return Err(usage(format!("option `--{name}' is not supported")));
    }
    let mut operands = flags.all_paths();
    if let Some(name) = flags.value("repo").filter(|_| operands.is_empty()) {
        operands.push(name.to_vec());
    }
    let remote = match operands.is_empty() {
        true => Remote::find(&repository.config, &destination(repository)?)?,
        false => Remote::find(&repository.config, &operands.remove(0))?,
    };
    let mut status = 0;
    for url in &remote.push_urls {
        let push = Push {
            repository,
            remote: &remote,
            flags: &flags,
            url,
            transport: Transport::open(&repository.config, url)?,
        };
        status = status.max(push.run(&operands)?);
    }
    Ok(status)
}

/// The remote that is meant where none is named: `branch.NAME.pushRemote`, `remote.pushDefault`, the one that the
/// branch follows, `origin`. The last two only where they are configured.
fn destination(repository: &Repository) -> Outcome<Vec<u8>> {
    let config = &repository.config;
    let branch =
        String::from_utf8_lossy(&repository.refs.branch().unwrap_or_default()).into_owned();
    let own = config.get(&format!("branch.{branch}.pushremote"));
    if let Some(name) = own.or_else(|| config.get("remote.pushdefault")) {
        return Ok(name.to_vec());
    }
    let name = default_name(repository);
    if names(config).contains(&name) {
        return Ok(name);
    }
    Err(no_destination())
}

/// One push to one URL.
struct Push<'a> {
    repository: &'a Repository,
    remote: &'a Remote,
    flags: &'a Flags,
    /// Where it goes, with what secrets it has; messages show it without them.
    url: &'a [u8],
    transport: Transport,
}

impl Push<'_> {
    /// Lists, judges, sends and tells. Status 1 where any reference was refused, with git's hints for the reasons.
    ///
    /// With `--atomic` one refusal of ours refuses all; whether the other side takes all or none is not asked of it.
    fn run(mut self, words: &[Vec<u8>]) -> Outcome<i32> {
        let specs = self.specs(words)?;
        if self.flags.has("v") {
            self.repository
                .say(bytes!("Pushing to ", without_secrets(self.url)));
        }
        let advert = self.transport.list(Service::Push)?;
        let mut updates = self.updates(&specs, &advert)?;
        if self.flags.has("follow-tags") || self.repository.config.truth("push.followtags", false) {
            self.follow_tags(&mut updates, &advert)?;
        }
        for update in &mut updates {
            update.refused = self.judge(update)?;
        }
        let stops =
            self.flags.has("atomic") && updates.iter().any(|update| update.refused.is_some());
        if stops {
            for update in updates.iter_mut().filter(|update| update.refused.is_none()) {
                update.refused = Some(Refusal::Atomic);
            }
        }
        if !self.flags.denied("verify") && !self.hook_agrees(&updates) {
            let url = without_secrets(self.url);
            return Err(error(bytes!("failed to push some refs to '", url, "'")));
        }
        if !self.flags.has("n") {
            self.send(&advert, &mut updates)?;
        }
        self.tell(&updates);
        self.follow_up(&updates)?;
        let moves = |update: &Update| update.old != update.new || update.refused.is_some();
        if !updates.iter().any(moves) && !self.flags.has("q") {
            self.repository.say("Everything up-to-date");
        }
        self.set_upstreams(&updates)?;
        if updates.iter().all(|update| update.refused.is_none()) {
            return Ok(0);
        }
        let url = without_secrets(self.url);
        self.repository
            .say(bytes!("error: failed to push some refs to '", url, "'"));
        let current = self.repository.refs.head();
        let refused = updates.iter().filter_map(|update| {
            let refusal = update.refused.as_ref()?;
            Some((refusal, Some(&update.name) == current.as_ref()))
        });
        hints(self.repository, refused);
        Ok(1)
    }

    /// Whether `pre-push` lets the push go on; it reads a line for each reference that moves.
    fn hook_agrees(&self, updates: &[Update]) -> bool {
        let mut input = Vec::new();
        let moving = updates
            .iter()
            .filter(|update| update.refused.is_none() && update.old != update.new);
        for update in moving {
            let source: &[u8] = match &update.source {
                Some(source) => source,
                None => b"(delete)",
            };
            let ids = |id: &Id| id.to_string();
            input.extend(bytes!(source, " ", ids(&update.new), " "));
            input.extend(bytes!(update.name, " ", ids(&update.old), "\n"));
        }
        let hook = Hook {
            arguments: &[&self.remote.name, self.url],
            input: &input,
            prints: true,
            ..Hook::default()
        };
        hooks::run_at_once(self.repository, "pre-push", &hook) == 0
    }

    /// What is to go where: the words as refspecs, `tag NAME` as `refs/tags/NAME`, `-d NAME` as `:NAME`, `--all` and
    /// `--tags` as patterns. Where nothing names a branch, `remote.NAME.push`, then what `push.default` says.
    fn specs(&self, words: &[Vec<u8>]) -> Outcome<Vec<Refspec>> {
        let mut texts: Vec<Vec<u8>> = Vec::new();
        if self.flags.has("d") {
            if words.is_empty() {
                return Err(fatal("--delete doesn't make sense without any refs"));
            }
            if words.iter().any(|word| word.contains(&b':')) {
                return Err(fatal("--delete only accepts plain target ref names"));
            }
            texts.extend(words.iter().map(|word| bytes!(":", word)));
            return texts.iter().map(|text| Refspec::parse(text)).collect();
        }
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match (word.as_slice(), words.as_slice().first()) {
                (b"tag", Some(name)) => {
                    texts.push(bytes!("refs/tags/", name));
                    words.next();
                }
                _ => texts.push(word.clone()),
            }
        }
        if self.flags.has("all") || self.flags.has("branches") {
            texts.push(b"refs/heads/*:refs/heads/*".to_vec());
        }
        let named = !texts.is_empty();
        if self.flags.has("tags") {
            texts.push(b"refs/tags/*:refs/tags/*".to_vec());
        }
        let mut specs: Vec<Refspec> = texts
            .iter()
            .map(|text| Refspec::parse(text))
            .collect::<Outcome<_>>()?;
        if !named {
            if !self.remote.push.is_empty() {
                specs.extend(self.remote.push.clone());
            } else if !self.flags.has("tags") {
                specs.push(self.usual()?);
            }
        }
        Ok(specs)
    }

    /// What goes where nothing was named, by `push.default` (`simple` unless it is set):
    ///
    /// - `current`: `refs/heads/B:refs/heads/B`.
    /// - `simple`: the same, if B follows a branch of this name on this remote; to another remote than usual, always.
    /// - `upstream`, `tracking`: `refs/heads/B:` what B follows.
    /// - `matching`: `:`, all branches that both sides have. `nothing`: refused.
    ///
    /// With `-u` or `push.autoSetupRemote` a branch that follows nothing is pushed under its own name.
    fn usual(&self) -> Outcome<Refspec> {
        let config = &self.repository.config;
        let mode = config
            .text("push.default")
            .unwrap_or_else(|| "simple".to_owned());
        match mode.as_str() {
            "nothing" => {
                return Err(fatal(
                    "You didn't specify any refspecs to push, and push.default is \"nothing\".",
                ));
            }
            "matching" => return Refspec::parse(b":"),
            "simple" | "current" | "upstream" | "tracking" => {}
            other => return Err(usage(format!("push.default={other} is not supported"))),
        }
        let Some(branch) = self.repository.refs.branch() else {
            return Err(not_on_a_branch(&self.remote.name));
        };
        let same = bytes!("refs/heads/", branch, ":refs/heads/", branch);
        let text = String::from_utf8_lossy(&branch).into_owned();
        let merge = config.get(&format!("branch.{text}.merge"));
        let follows = config.get(&format!("branch.{text}.remote")) == Some(&self.remote.name);
        let sets = self.flags.has("u") || config.truth("push.autosetupremote", false);
        let triangular = self.remote.name != default_name(self.repository);
        match (mode.as_str(), merge.filter(|_| follows)) {
            ("current", _) => Refspec::parse(&same),
            ("simple", _) if triangular => Refspec::parse(&same),
            (_, None) if sets => Refspec::parse(&same),
            (_, None) => Err(no_upstream(&self.remote.name, &branch)),
            ("simple", Some(merge)) if merge != bytes!("refs/heads/", branch) => {
                Err(other_upstream(&self.remote.name, merge))
            }
            (_, Some(merge)) => Refspec::parse(&bytes!("refs/heads/", branch, ":", merge)),
        }
    }

    /// The updates of all refspecs, in their order. Of several for one name there, the first counts. Refspecs that
    /// match nothing are all told before the push ends, as git does; another failure ends it at once.
    fn updates(&self, specs: &[Refspec], advert: &Advert) -> Outcome<Vec<Update>> {
        let mut updates: Vec<Update> = Vec::new();
        let mut failed = Vec::new();
        for spec in specs {
            match self.expand(spec, advert) {
                Ok(list) => updates.extend(list),
                Err(stop) if stop.status == 1 => failed.push(stop.message),
                Err(stop) => return Err(stop),
            }
        }
        if !failed.is_empty() {
            let url = without_secrets(self.url);
            failed.push(bytes!("error: failed to push some refs to '", url, "'"));
            return Err(Stop {
                status: 1,
                message: failed.join(&b'\n'),
            });
        }
        let mut seen: Vec<Vec<u8>> = Vec::new();
        updates.retain(|update| {
            let new = !seen.contains(&update.name);
            seen.push(update.name.clone());
            new
        });
        Ok(updates)
    }

    /// An update with what the other side has now.
    fn update(
        &self,
        source: Option<&[u8]>,
        name: Vec<u8>,
        new: Id,
        force: bool,
        advert: &Advert,
    ) -> Update {
        Update {
            source: source.map(<[u8]>::to_vec),
            old: advert.refs.get(&name).copied().unwrap_or_else(none),
            name,
            new,
            force: force || self.flags.has("f"),
            refused: None,
        }
    }

    /// The updates that one refspec means.
    ///
    /// - `:` all branches that both sides have; `refs/heads/*:refs/x/*` all that match here; `:NAME` a deletion.
    /// - `SRC` alone goes to the reference of the same full name, so SRC must be one; `HEAD` is the branch that it
    ///   stands for.
    /// - `SRC:DST` may have any revision as SRC; see `target` for DST.
    ///
    /// Status 1 is what the caller collects: a source or target that does not exist.
    fn expand(&self, spec: &Refspec, advert: &Advert) -> Outcome<Vec<Update>> {
        let refs = &self.repository.refs;
        let force = spec.force;
        if spec.source.is_empty() && spec.target.as_deref() == Some(b"") {
            // `:` stands for all branches that both sides have.
            let both = refs.list(b"refs/heads/").into_iter();
            let both = both.filter(|(name, _)| advert.refs.contains_key(name));
            let list =
                both.map(|(name, id)| self.update(Some(&name), name.clone(), id, force, advert));
            return Ok(list.collect());
        }
        if spec.is_pattern() {
            let all = refs.list(b"refs/").into_iter();
            let list = all.filter_map(|(name, id)| {
                let target = spec.map(&name)?;
                Some(self.update(Some(&name), target, id, force, advert))
            });
            return Ok(list.collect());
        }
        if spec.source.is_empty() {
            let target = spec.target.as_deref().unwrap_or_default();
            let found = super::fetch::resolve(advert, target);
            let Some((name, _)) = found else {
                return Err(error(bytes!(
                    "unable to delete '",
                    target,
                    "': remote ref does not exist"
                )));
            };
            return Ok(vec![self.update(None, name, none(), force, advert)]);
        }
        let mut source = revision::reference(self.repository, &spec.source);
        if source.as_deref() == Some(b"HEAD") && spec.target.is_none() {
            source = refs.head();
        }
        let id = match &source {
            Some(name) => refs.resolve(name),
            None => revision::find(self.repository, &spec.source)?,
        };
        let Some(id) = id else {
            let text = bytes!("src refspec ", spec.source, " does not match any");
            return Err(error(text));
        };
        let source_name = source.clone().filter(|name| name != b"HEAD");
        let target = match &spec.target {
            None => source_name
                .clone()
                .ok_or_else(|| self.unqualified(&spec.source))?,
            Some(target) => self.target(target, source.as_deref(), advert)?,
        };
        let shown = match spec.source.as_slice() {
            word @ (b"HEAD" | b"@") => word.to_vec(),
            word => source.unwrap_or_else(|| word.to_vec()),
        };
        Ok(vec![self.update(Some(&shown), target, id, force, advert)])
    }

    /// The full name of what a word names there: itself with `refs/` in front, a reference of the other side that it
    /// abbreviates, or a new one in the folder that the source is in (`main:new` makes `refs/heads/new`).
    fn target(&self, word: &[u8], source: Option<&[u8]>, advert: &Advert) -> Outcome<Vec<u8>> {
        if word.starts_with(b"refs/") {
            return Ok(word.to_vec());
        }
        let known = super::fetch::resolve(advert, word).map(|(name, _)| name);
        if let Some(name) = known.filter(|name| name != b"HEAD") {
            return Ok(name);
        }
        let from_head = source == Some(b"HEAD") && self.repository.refs.head().is_some();
        match source {
            Some(name) if name.starts_with(b"refs/heads/") || from_head => {
                Ok(bytes!("refs/heads/", word))
            }
            Some(name) if name.starts_with(b"refs/tags/") => Ok(bytes!("refs/tags/", word)),
            _ => Err(self.unqualified(word)),
        }
    }

    /// git's words for a target whose folder cannot be guessed.
    fn unqualified(&self, word: &[u8]) -> Stop {
        error(bytes!(
            "The destination you provided is not a full refname (i.e.,\n\
             starting with \"refs/\"). We tried to guess what you meant by:\n\n\
             - Looking for a ref that matches '",
            word,
            "' on the remote side.\n\
             - Checking if the <src> being pushed ('",
            word,
            "')\n  is a ref in \"refs/{heads,tags}/\". If so we add a corresponding\n  \
             refs/{heads,tags}/ prefix on the remote side.\n\n\
             Neither worked, so we gave up. You must fully qualify the ref."
        ))
    }

    /// Adds annotated tags whose commits go there and that are missing there (`--follow-tags`). Lightweight tags
    /// stay. Costs a search for an ancestor for each tag and tip.
    fn follow_tags(&self, updates: &mut Vec<Update>, advert: &Advert) -> Outcome {
        let tips: Vec<Id> = updates.iter().map(|update| update.new).collect();
        for (name, id) in self.repository.refs.list(b"refs/tags/") {
            let known = advert.refs.contains_key(&name);
            let (peeled, kind) = self.repository.objects.peel(&id)?;
            if known || peeled == id || kind != gix_object::Kind::Commit {
                continue;
            }
            for tip in tips.iter().filter(|tip| !tip.is_null()) {
                if is_ancestor(self.repository, &peeled, tip)? {
                    updates.push(self.update(Some(&name), name.clone(), id, false, advert));
                    break;
                }
            }
        }
        Ok(())
    }

    /// Why an update may not be, as far as that is known here. In this order: nothing changes, it is forced or has a
    /// lease that holds, the lease is lost, it makes or deletes, it moves a tag, its old commit is not here, one of the two is no commit, it is
    /// no fast-forward.
    fn judge(&self, update: &Update) -> Outcome<Option<Refusal>> {
        if update.old == update.new {
            return Ok(None);
        }
        let expected = self.expected(update)?;
        if update.force || expected == Some(update.old) {
            return Ok(None);
        }
        if expected.is_some() {
            return Ok(Some(Refusal::Stale));
        }
        if update.old.is_null() || update.new.is_null() {
            return Ok(None);
        }
        let objects = &self.repository.objects;
        if update.name.starts_with(b"refs/tags/") {
            return Ok(Some(Refusal::Exists));
        }
        if !objects.has(&update.old) {
            return Ok(Some(Refusal::FetchFirst));
        }
        let commits = [&update.old, &update.new].map(|id| objects.commit(id).is_ok());
        if commits != [true, true] {
            return Ok(Some(Refusal::NeedsForce));
        }
        let forward = is_ancestor(self.repository, &update.old, &update.new)?;
        Ok((!forward).then_some(Refusal::NotForward))
    }

    /// What the other side must still say of a reference that has a lease (`--force-with-lease[=REF[:EXPECT]]`, of
    /// several the first that names it); null stands for nothing. It is EXPECT (empty: nothing), or where the
    /// reference that follows it here stands. None where no lease is for it.
    fn expected(&self, update: &Update) -> Outcome<Option<Id>> {
        if self.flags.denied("force-with-lease") {
            return Ok(None);
        }
        let mut follows = false;
        for lease in self.flags.values("force-with-lease") {
            let mut parts = lease.splitn(2, |&byte| byte == b':');
            let name = parts.next().unwrap_or_default();
            if lease.is_empty() {
                follows = true;
                continue;
            }
            let names = [name, &bytes!("refs/", name)];
            if !names.contains(&&*update.name) && name != pretty(&update.name) {
                continue;
            }
            match parts.next() {
                Some(b"") => return Ok(Some(none())),
                Some(word) => {
                    let found = revision::find(self.repository, word)?;
                    let text = bytes!("cannot parse expected object name '", word, "'");
                    return found.map(Some).ok_or_else(|| usage(text));
                }
                None => follows = true,
            }
            break;
        }
        let follower = self.remote.tracking(&update.name);
        let seen = follower.and_then(|name| self.repository.refs.resolve(&name));
        Ok(follows.then(|| seen.unwrap_or_else(none)))
    }

    /// Sends what was not refused and changes something, with a pack unless all are deletions. Refusals of the other
    /// side are noted in `updates`.
    fn send(&mut self, advert: &Advert, updates: &mut [Update]) -> Outcome {
        let commands: Vec<Command> = updates
            .iter()
            .filter(|update| update.refused.is_none() && update.old != update.new)
            .map(|update| Command {
                old: update.old,
                new: update.new,
                name: update.name.clone(),
            })
            .collect();
        if commands.is_empty() {
            return Ok(());
        }
        let news: Vec<Id> = commands
            .iter()
            .map(|one| one.new)
            .filter(|id| !id.is_null())
            .collect();
        let pack = if news.is_empty() {
            None
        } else {
            let known: Vec<Id> = advert.refs.values().copied().collect();
            let found = pack::select(&self.repository.objects, &news, &known, &Limits::default())?;
            Some(pack::write(&self.repository.objects, &found.objects)?)
        };
        let report = self
            .transport
            .push(self.repository, advert, &commands, pack)?;
        for (name, why) in report {
            let update = updates.iter_mut().find(|update| update.name == name);
            if let (Some(update), Some(why)) = (update, why) {
                update.refused = Some(Refusal::Remote(why));
            }
        }
        Ok(())
    }

    /// What became of each reference, on standard error: with `-v` those that are up to date, then those that moved,
    /// then those that were refused. Nothing is said where nothing moved, unless `-v`; `-q` leaves the refusals.
    fn tell(&self, updates: &[Update]) {
        let verbose = self.flags.has("v");
        let is_same = |update: &&Update| update.old == update.new && update.refused.is_none();
        let mut shown: Vec<&Update> = Vec::new();
        if verbose {
            shown.extend(updates.iter().filter(is_same));
        }
        let moved = |update: &&Update| !is_same(update);
        shown.extend(
            updates
                .iter()
                .filter(moved)
                .filter(|update| update.refused.is_none()),
        );
        shown.extend(updates.iter().filter(|update| update.refused.is_some()));
        let quiet = self.flags.has("q");
        if shown.iter().all(is_same) && !quiet {
            if !shown.is_empty() {
                self.repository
                    .say(bytes!("To ", without_secrets(self.url)));
            }
            for update in &shown {
                self.repository.say(self.line(update));
            }
            return;
        }
        if quiet {
            shown.retain(|update| update.refused.is_some());
        }
        if !shown.is_empty() {
            self.repository
                .say(bytes!("To ", without_secrets(self.url)));
        }
        for update in shown {
            self.repository.say(self.line(update));
        }
    }

    /// A line of the report: flag, summary in the width of two short names, names, reason. ` ` is a fast-forward, `+`
    /// forced, `*` new, `-` deleted, `=` up to date, `!` refused.
    ///
    /// ```text
    ///    1a2b3c4..5d6e7f8  main -> main
    ///  ! [rejected]        topic -> topic (non-fast-forward)
    /// ```
    fn line(&self, update: &Update) -> Vec<u8> {
        let short = |id: &Id| self.repository.short(id);
        let (from, to) = (short(&update.old), short(&update.new));
        let forward = is_ancestor(self.repository, &update.old, &update.new).unwrap_or(false);
        let (flag, summary, note) = match &update.refused {
            Some(refusal @ Refusal::Remote(_)) => {
                ('!', "[remote rejected]".to_owned(), refusal.text())
            }
            Some(refusal) => ('!', "[rejected]".to_owned(), refusal.text()),
            None if update.new.is_null() => ('-', "[deleted]".to_owned(), Vec::new()),
            None if update.old == update.new => ('=', "[up to date]".to_owned(), Vec::new()),
            None if update.old.is_null() => ('*', created(&update.name).to_owned(), Vec::new()),
            None if forward => (' ', format!("{from}..{to}"), Vec::new()),
            None => ('+', format!("{from}...{to}"), b"forced update".to_vec()),
        };
        let note = if note.is_empty() {
            note
        } else {
            bytes!(" (", note, ")")
        };
        let target = pretty(&update.name);
        let names = match (update.source.as_deref(), &update.refused) {
            (Some(source), _) => bytes!(pretty(source), " -> ", target),
            (None, None | Some(Refusal::Remote(_))) => target.to_vec(),
            (None, Some(_)) => bytes!("(delete) -> ", target),
        };
        let width = 2 * from.len().max(to.len()) + 3;
        bytes!(format!(" {flag} {summary:<width$} "), names, note)
    }

    /// Moves what follows the other side, so that `origin/main` is what was pushed without a fetch. A remote that was
    /// given as a URL has no such references.
    fn follow_up(&self, updates: &[Update]) -> Outcome {
        let repository = self.repository;
        if self.flags.has("n") {
            return Ok(());
        }
        for update in updates.iter().filter(|update| update.refused.is_none()) {
            let Some(local) = self
                .remote
                .tracking(&update.name)
                .filter(|_| self.remote.is_named)
            else {
                continue;
            };
            if self.flags.has("v") {
                repository.say(bytes!("updating local tracking ref '", local, "'"));
            }
            if update.new.is_null() {
                repository.refs.delete(&local)?;
            } else if repository.refs.resolve(&local) != Some(update.new) {
                let who = identity(repository);
                repository
                    .refs
                    .update(&local, &update.new, &who, b"update by push")?;
            }
        }
        Ok(())
    }

    /// Lets branches follow what they were pushed to, with `-u`.
    fn set_upstreams(&self, updates: &[Update]) -> Outcome {
        let repository = self.repository;
        let automatic = repository.config.truth("push.autosetupremote", false);
        if (!self.flags.has("u") && !automatic) || self.flags.has("n") {
            return Ok(());
        }
        for update in updates.iter().filter(|update| update.refused.is_none()) {
            let source = match update.source.as_deref() {
                Some(b"HEAD" | b"@") => repository.refs.head(),
                other => other.map(<[u8]>::to_vec),
            };
            let branch = source
                .as_deref()
                .and_then(|name| name.strip_prefix(b"refs/heads/"));
            let (Some(branch), false) = (branch, update.new.is_null()) else {
                continue;
            };
            self.set_upstream(branch, &update.name)?;
        }
        Ok(())
    }

    /// Writes `branch.NAME.remote` and `.merge`, and says so on standard output, as git does.
    fn set_upstream(&self, branch: &[u8], name: &[u8]) -> Outcome {
        let key = |what: &str| bytes!("branch.", branch, ".", what);
        edit_config(self.repository, |text| {
            let text = config::set(&text, b"config", &key("remote"), &self.remote.name, false)?;
            config::set(&text, b"config", &key("merge"), name, false)
        })?;
        if self.flags.has("q") {
            return Ok(());
        }
        let followed = self.remote.tracking(name);
        let shown = match &followed {
            Some(name) => pretty(name).to_vec(),
            None => name.to_vec(),
        };
        let line = bytes!("branch '", branch, "' set up to track '", shown, "'.\n");
        super::sideband::print(&line).map_err(|_| quiet(141))
    }
}

/// How a new reference is announced, by the folder that it is in.
fn created(name: &[u8]) -> &'static str {
    if name.starts_with(b"refs/tags/") {
        "[new tag]"
    } else if name.starts_with(b"refs/heads/") {
        "[new branch]"
    } else {
        "[new reference]"
    }
}
