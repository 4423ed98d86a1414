//! The names of users and groups, from `/etc/passwd` and `/etc/group`.

use crate::system::{self, Identity};

/// The accounts of the sandbox.
pub struct Accounts {
    users: Vec<(u32, String, u32)>,
    groups: Vec<(u32, String, Vec<String>)>,
    own: Identity,
}

impl Default for Accounts {
    fn default() -> Self {
        Accounts::new()
    }
}

impl Accounts {
    /// Reads the files; what they lack is completed by who the process is.
    pub fn new() -> Accounts {
        let read = |path: &str| {
            let content = system::read_whole(path.as_bytes()).unwrap_or_default();
            String::from_utf8(content).unwrap_or_default()
        };
        let (passwd, group) = (read("/etc/passwd"), read("/etc/group"));
        let users = passwd.lines().filter_map(|line| {
            let fields: Vec<&str> = line.split(':').collect();
            Some((
                fields.get(2)?.parse().ok()?,
                fields[0].to_owned(),
                fields.get(3)?.parse().ok()?,
            ))
        });
        let groups = group.lines().filter_map(|line| {
            let fields: Vec<&str> = line.split(':').collect();
            let members = fields.get(3)?.split(',').map(str::to_owned).collect();
            Some((fields[2].parse().ok()?, fields[0].to_owned(), members))
        });
        Accounts {
            users: users.collect(),
            groups: groups.collect(),
            own: system::identity(),
        }
    }

    /// Who the process is.
    pub fn own(&self) -> &Identity {
        &self.own
    }

    /// The name of a user, or the number as text.
    pub fn user(&self, uid: u32, numeric: bool) -> String {
        if numeric {
            uid.to_string()
        } else {
            self.user_name(uid).unwrap_or_else(|| uid.to_string())
        }
    }

    /// The name of a group, or the number as text.
    pub fn group(&self, gid: u32, numeric: bool) -> String {
        if numeric {
            gid.to_string()
        } else {
            self.group_name(gid).unwrap_or_else(|| gid.to_string())
        }
    }

    /// The name of a user.
    pub fn user_name(&self, uid: u32) -> Option<String> {
        let known = self
            .users
            .iter()
            .find(|user| user.0 == uid)
            .map(|user| user.1.clone());
        known.or_else(|| (uid == self.own.uid).then(|| self.own.user.clone()))
    }

    /// The name of a group.
    pub fn group_name(&self, gid: u32) -> Option<String> {
        let known = self
            .groups
            .iter()
            .find(|group| group.0 == gid)
            .map(|group| group.1.clone());
        known.or_else(|| (gid == self.own.gid).then(|| self.own.group.clone()))
    }

    /// A user by name: number and main group.
    pub fn find_user(&self, name: &str) -> Option<(u32, u32)> {
        let known = self
            .users
            .iter()
            .find(|user| user.1 == name)
            .map(|user| (user.0, user.2));
        known.or_else(|| (name == self.own.user).then_some((self.own.uid, self.own.gid)))
    }

    /// A group by name.
    pub fn find_group(&self, name: &str) -> Option<u32> {
        let known = self
            .groups
            .iter()
            .find(|group| group.1 == name)
            .map(|group| group.0);
        known.or_else(|| (name == self.own.group).then_some(self.own.gid))
    }

    /// The groups of a user, the main one first.
    pub fn groups_of(&self, name: &str, main: u32) -> Vec<u32> {
        let mut groups = vec![main];
        let member = |group: &&(u32, String, Vec<String>)| group.2.iter().any(|user| user == name);
        groups.extend(self.groups.iter().filter(member).map(|group| group.0));
        groups.dedup();
        groups
    }
}
