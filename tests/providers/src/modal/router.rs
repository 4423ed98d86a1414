//! The command router: commands, their streams and their input, and captures of files.

use super::grpc::{Failed, Outcome, Told, all, asked, reply, streamed};
use super::wire::*;
use super::{Modal, is_token};
use crate::machine::{Job, Said, start};
use crate::service::Request;
use futures::stream::StreamExt;
use offshoot::Exec;
use offshoot::backend::Stdin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A command with what it was given.
pub(super) struct Execution {
    job: Arc<Job>,
    pipes: [bool; 2],
    input: Mutex<Given>,
}

#[derive(Default)]
struct Given {
    written: u64,
    closed: bool,
}

impl Execution {
    fn given(&self) -> MutexGuard<'_, Given> {
        self.input.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes input at an offset; what was there before is left out.
    fn write(&self, offset: u64, data: &[u8], eof: bool) -> Result<(), Failed> {
        let mut given = self.given();
        if given.closed || self.job.status().is_some() {
            return Err(Failed::precondition("stdin is closed"));
        }
        let known = given.written.checked_sub(offset);
        let known =
            known.ok_or_else(|| Failed::invalid("the offset is beyond what was written"))?;
        let new = usize::try_from(known)
            .ok()
            .and_then(|known| data.get(known..));
        let new = new.unwrap_or_default();
        if !new.is_empty() {
            given.written += new.len() as u64;
            self.job.write(Some(new.to_vec()));
        }
        if eof {
            given.closed = true;
            self.job.write(None);
        }
        Ok(())
    }
}

/// One message of a stream of input.
#[derive(Clone, PartialEq, prost::Message)]
struct Piece {
    #[prost(message, optional, tag = "1")]
    start: Option<TaskExecStdinWriteRequest>,
    #[prost(bytes = "vec", optional, tag = "2")]
    data: Option<Vec<u8>>,
    #[prost(message, optional, tag = "3")]
    end: Option<Empty>,
}

impl Modal {
    pub(super) async fn router(&self, method: &str, request: &Request) -> Outcome {
        match method {
            "TaskExecStart" => self.start(request, asked(request)?),
            "TaskExecStdioRead" => self.read(request, &asked(request)?),
            "TaskExecStdinWrite" => self.write(request, &asked(request)?),
            "TaskExecStdinWriteStream" => self.write_stream(request),
            "TaskExecStdinStatus" => self.input(request, &asked(request)?),
            "TaskExecPoll" => self.poll(request, &asked(request)?),
            "TaskExecWait" => self.wait_for(request, &asked(request)?).await,
            "TaskSnapshotFilesystem" => self.capture(request, asked(request)?).await,
            _ => Err(Failed::unimplemented(method)),
        }
    }

    /// Whether the call may ask something of a task.
    fn admits(&self, request: &Request, task: &str) -> Result<(), Failed> {
        let mut held = self.held();
        let token = request.header("authorization").strip_prefix("Bearer ");
        if !is_token(token.unwrap_or_default(), task, held.epoch) {
            return Err(Failed::unauthenticated(
                "The token is not valid for the task",
            ));
        }
        held.of_task(task).map(drop)
    }

    fn execution(&self, request: &Request, task: &str, id: &str) -> Result<Arc<Execution>, Failed> {
        self.admits(request, task)?;
        let mut held = self.held();
        let found = held.of_task(task)?.executions.get(id).cloned();
        found.ok_or_else(|| Failed::not_found(format!("Exec {id} not found")))
    }

    /// Begins a command; the same id is the same command.
    fn start(&self, request: &Request, asked: TaskExecStartRequest) -> Outcome {
        self.admits(request, &asked.task_id)?;
        if asked.command_args.is_empty() || asked.exec_id.is_empty() {
            return Err(Failed::invalid("a command needs words and an id"));
        }
        let variables = self.variables(&asked.secret_sources)?;
        let mut held = self.held();
        let made = held.of_task(&asked.task_id)?;
        if made.executions.contains_key(&asked.exec_id) {
            return reply(&Empty {});
        }
        let mut exec = Exec::new("").stdin(Stdin::Piped);
        if let Some(directory) = asked.workdir {
            exec = exec.cwd(directory);
        }
        if let Some(seconds) = asked.timeout_secs {
            exec = exec.timeout_ms(u64::from(seconds) * 1000);
        }
        for (name, value) in variables {
            exec = exec.env(name, value);
        }
        let job = start(Arc::clone(&made.machine), &asked.command_args, exec);
        let execution = Execution {
            job,
            pipes: [asked.stdout_config == PIPE, asked.stderr_config == PIPE],
            input: Mutex::default(),
        };
        made.executions.insert(asked.exec_id, Arc::new(execution));
        held.executions += 1;
        reply(&Empty {})
    }

    fn read(&self, request: &Request, asked: &TaskExecStdioReadRequest) -> Outcome {
        let execution = self.execution(request, &asked.task_id, &asked.exec_id)?;
        let descriptor = asked.file_descriptor;
        let piped = match descriptor {
            STDOUT => execution.pipes[0],
            STDERR => execution.pipes[1],
            _ => return Err(Failed::invalid("no such descriptor")),
        };
        let mut skip = usize::try_from(asked.offset).unwrap_or(usize::MAX);
        let told = execution.job.listen().filter_map(move |said| {
            let data = match said {
                Said::Out(data) if descriptor == STDOUT && piped => data,
                Said::Err(data) if descriptor == STDERR && piped => data,
                Said::Failed(why) => {
                    return std::future::ready(Some(Told::Failed(Failed::not_found(why))));
                }
                _ => return std::future::ready(None),
            };
            let skipped = skip.min(data.len());
            skip -= skipped;
            let data = data[skipped..].to_vec();
            let told = TaskExecStdioReadResponse { data };
            std::future::ready((!told.data.is_empty()).then_some(Told::Message(told)))
        });
        Ok(streamed(told))
    }

    fn write(&self, request: &Request, asked: &TaskExecStdinWriteRequest) -> Outcome {
        let execution = self.execution(request, &asked.task_id, &asked.exec_id)?;
        execution.write(asked.offset, &asked.data, asked.eof)?;
        reply(&Empty {})
    }

    fn write_stream(&self, request: &Request) -> Outcome {
        let pieces: Vec<Piece> = all(request)?;
        let start = pieces.first().and_then(|piece| piece.start.as_ref());
        let start = start.ok_or_else(|| Failed::invalid("it begins without a start"))?;
        let execution = self.execution(request, &start.task_id, &start.exec_id)?;
        let mut offset = start.offset;
        for piece in &pieces[1..] {
            let data = piece.data.as_deref().unwrap_or_default();
            execution.write(offset, data, piece.end.is_some())?;
            offset += data.len() as u64;
        }
        reply(&Empty {})
    }

    fn input(&self, request: &Request, asked: &TaskExecRequest) -> Outcome {
        let execution = self.execution(request, &asked.task_id, &asked.exec_id)?;
        let given = execution.given();
        reply(&TaskExecStdinStatusResponse {
            num_bytes_written: given.written,
            closed: given.closed || execution.job.status().is_some(),
        })
    }

    fn poll(&self, request: &Request, asked: &TaskExecRequest) -> Outcome {
        let execution = self.execution(request, &asked.task_id, &asked.exec_id)?;
        reply(&TaskExecStatusResponse {
            code: execution.job.status().map(i32::from),
            signal: None,
        })
    }

    async fn wait_for(&self, request: &Request, asked: &TaskExecRequest) -> Outcome {
        let execution = self.execution(request, &asked.task_id, &asked.exec_id)?;
        let mut said = Box::pin(execution.job.listen());
        while let Some(said) = said.next().await {
            if let Said::Failed(why) = said {
                // The task is gone, or the command never was.
                self.held().of_task(&asked.task_id)?;
                return Err(Failed::invalid(why));
            }
        }
        reply(&TaskExecStatusResponse {
            code: execution.job.status().map(i32::from),
            signal: None,
        })
    }

    /// Captures the files; the same id is the same image.
    async fn capture(&self, request: &Request, asked: TaskSnapshotFilesystemRequest) -> Outcome {
        self.admits(request, &asked.task_id)?;
        let (machine, image_id) = {
            let mut held = self.held();
            if let Some(image) = held.snapshots.get(&asked.snapshot_id) {
                let image_id = image.clone();
                return reply(&TaskSnapshotFilesystemResponse { image_id });
            }
            let image_id = format!("im-{}", held.number());
            let machine = Arc::clone(&held.of_task(&asked.task_id)?.machine);
            (machine, image_id)
        };
        self.machines.capture(&*machine, &image_id).await?;
        let mut held = self.held();
        held.snapshots.insert(asked.snapshot_id, image_id.clone());
        reply(&TaskSnapshotFilesystemResponse { image_id })
    }
}
