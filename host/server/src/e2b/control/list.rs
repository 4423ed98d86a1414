//! Lists of sandboxes.

use super::super::endpoint::Endpoint;
use super::super::failure::{Failure, Result};
use super::super::record::Record;
use super::wire::Listed;
use crate::web::{self, Response};
use chrono::DateTime;
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use std::collections::BTreeMap;

/// Sandboxes on a page at most, and where no limit is named.
const PAGE: usize = 100;

/// Where the client finds what to ask for next.
const NEXT_TOKEN: HeaderName = HeaderName::from_static("x-next-token");

/// What is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Filter {
    metadata: BTreeMap<String, String>,
    running: Option<bool>,
    started_after: Option<u64>,
    template: Option<String>,
    ascending: bool,
    page: Page,
}

/// Which part of a list is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    limit: Option<usize>,
    after: Option<(u64, String)>,
}

impl Page {
    /// Reads one of the parameters `limit` and `nextToken`; whether it was one.
    pub(super) fn read(&mut self, name: &str, value: &str) -> Result<bool> {
        match name {
            "limit" => {
                let limit = value
                    .parse()
                    .ok()
                    .filter(|limit| (1..=PAGE).contains(limit));
                let wrong = || Failure::invalid(format!("the limit is 1 to {PAGE}, not {value:?}"));
                self.limit = Some(limit.ok_or_else(wrong)?);
            }
            "nextToken" => {
                let place = value.split_once('.');
                let place = place.and_then(|(time, id)| Some((time.parse().ok()?, id.to_owned())));
                let wrong = || Failure::invalid(format!("the token {value:?} is not valid"));
                self.after = Some(place.ok_or_else(wrong)?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Cuts the page out of a list that is in order, and says how to ask for the next one.
    pub(super) fn cut(
        &self,
        mut all: Vec<(String, Record)>,
        ascending: bool,
    ) -> (Vec<(String, Record)>, Option<HeaderValue>) {
        let place = |(id, record): &(String, Record)| (record.started, id.clone());
        all.sort_by_key(place);
        if !ascending {
            all.reverse();
        }
        if let Some(after) = &self.after {
            all.retain(|item| match ascending {
                true => place(item) > *after,
                false => place(item) < *after,
            });
        }
        let limit = self.limit.unwrap_or(PAGE);
        let is_last = all.len() <= limit;
        all.truncate(limit);
        let next = all.last().filter(|_| !is_last).and_then(|last| {
            let (time, id) = place(last);
            HeaderValue::try_from(format!("{time}.{id}")).ok()
        });
        (all, next)
    }
}

impl Filter {
    fn parse(query: &str) -> Result<Filter> {
        let mut filter = Filter::default();
        let mut states = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "metadata" => filter.metadata = metadata(&value),
                "state" => states.extend(value.split(',').map(str::to_owned)),
                "startedAfter" => filter.started_after = Some(time(&value)?),
                "template" => filter.template = Some(value.into_owned()),
                "order" => filter.ascending = value == "asc",
                other => {
                    filter.page.read(other, &value)?;
                }
            }
        }
        let has = |state: &str| states.iter().any(|named| named == state);
        filter.running = match (has("running"), has("paused")) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        };
        Ok(filter)
    }

    fn takes(&self, record: &Record) -> bool {
        let mut metadata = self.metadata.iter();
        metadata.all(|(name, value)| record.metadata.get(name) == Some(value))
            && self.running.is_none_or(|running| running != record.paused)
            && self.started_after.is_none_or(|time| record.started > time)
            && self
                .template
                .as_ref()
                .is_none_or(|name| record.template == *name)
    }
}

/// Pairs that are encoded twice: each part by itself, and all of them as a form.
fn metadata(encoded: &str) -> BTreeMap<String, String> {
    let plain = |part: &str| {
        percent_encoding::percent_decode_str(part)
            .decode_utf8_lossy()
            .into_owned()
    };
    form_urlencoded::parse(encoded.as_bytes())
        .map(|(name, value)| (plain(&name), plain(&value)))
        .collect()
}

fn time(text: &str) -> Result<u64> {
    let time = DateTime::parse_from_rfc3339(text)
        .map_err(|error| Failure::invalid(format!("the time {text:?}: {error}")))?;
    Ok(u64::try_from(time.timestamp_millis()).unwrap_or(0))
}

pub(super) fn page(endpoint: &Endpoint, query: &str) -> Result<Response> {
    let filter = Filter::parse(query)?;
    let found = endpoint.matching(&filter);
    let (found, next) = filter.page.cut(found, filter.ascending);
    Ok(answer(&listed(found), next))
}

/// A page, and how to ask for the next one.
pub(super) fn answer(page: &impl Serialize, next: Option<HeaderValue>) -> Response {
    let mut response = web::json(StatusCode::OK, page);
    if let Some(token) = next {
        response.headers_mut().insert(NEXT_TOKEN, token);
    }
    response
}

/// All that run, as the first version of the API lists them.
pub(super) fn running(endpoint: &Endpoint, query: &str) -> Result<Response> {
    let mut filter = Filter::parse(query)?;
    filter.running = Some(true);
    Ok(answer(&listed(endpoint.matching(&filter)), None))
}

fn listed(found: Vec<(String, Record)>) -> Vec<Listed> {
    let found = found.into_iter();
    found.map(|(id, record)| Listed::of(&id, record)).collect()
}

impl Endpoint {
    fn matching(&self, filter: &Filter) -> Vec<(String, Record)> {
        let all = self.entries().into_iter();
        let all = all.map(|entry| (entry.id.clone(), entry.record()));
        all.filter(|(_, record)| filter.takes(record)).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use std::time::Duration;

    #[test]
    fn filters_are_read() {
        let query =
            "metadata=a%2520b%3D1%26c%3D%25C3%25A4&state=paused&limit=2&nextToken=5.i1&order=asc";
        let filter = Filter::parse(query).unwrap();
        let metadata = [("a b", "1"), ("c", "ä")];
        let metadata = metadata.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(filter.metadata, BTreeMap::from(metadata));
        assert_eq!(filter.running, Some(false));
        assert!(filter.ascending);
        let page = Page {
            limit: Some(2),
            after: Some((5, "i1".to_owned())),
        };
        assert_eq!(filter.page, page);
        for query in [
            "limit=0",
            "limit=101",
            "limit=x",
            "nextToken=x",
            "startedAfter=now",
        ] {
            assert!(Filter::parse(query).is_err(), "{query}");
        }
    }

    #[test]
    fn pages_cover_the_list_once() {
        let record = |started| {
            let mut record = Record::sandbox("base", Duration::ZERO);
            record.started = started;
            record
        };
        // Two of one moment, so that the time alone is no place.
        let all: Vec<_> = [(1, "a"), (2, "b"), (2, "c"), (3, "d")]
            .map(|(started, id)| (id.to_owned(), record(started)))
            .into();
        for (ascending, expected) in [(true, "abcd"), (false, "dcba")] {
            let mut page = Page {
                limit: Some(1),
                after: None,
            };
            let mut seen = String::new();
            loop {
                let (found, next) = page.cut(all.clone(), ascending);
                seen.extend(found.iter().map(|(id, _)| id.as_str()));
                let Some(token) = next else { break };
                page.read("nextToken", token.to_str().unwrap()).unwrap();
            }
            assert_eq!(seen, expected);
        }
    }
}
