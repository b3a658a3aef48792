//! The end of a job: what is left of it becomes parts for other jobs.

use everett_interp::{Coverage, ProgramId};
use everett_posix::Guest;
use everett_world::MappingKind;

use super::Worker;
use super::splitting::HALF;
use crate::explore::job_record::JobPart;
use crate::explore::run_record::of_section;
use crate::parallel::exchange::WorldPart;

impl Worker<'_, '_> {
    /// Returns `true` if this run is a job that is to end, and something was done in it.
    pub(super) fn is_job_over(&self) -> bool {
        let Some(job) = &self.context.job else { return false };
        let is_over = job.pace.is_over() && self.watch.choices_before() > 0;
        is_over || self.has_made_choices_of_job()
    }

    /// Returns `true` if this run is a job that has made as many choices of a state as it may.
    pub(super) fn has_made_choices_of_job(&self) -> bool {
        let most = self.context.job.as_ref().and_then(|job| job.pace.choices);
        most.is_some_and(|(most, _)| self.watch.choices_before() >= most.max(1))
    }

    /// Takes code for covered that other jobs have covered. What cannot be read is passed over: it only helps
    /// the search.
    pub(crate) fn learn_coverage(&mut self, known: &[Vec<u8>]) {
        // Programs that are executed later have other numbers in other jobs.
        let programs = self.context.nodes().iter().map(|setup| setup.program.index() + 1);
        let programs = programs.max().unwrap_or(0);
        for bytes in known {
            let coverage: Vec<Coverage> = of_section(bytes).unwrap_or_default();
            for (program, covered) in coverage.iter().enumerate().take(programs) {
                let program = ProgramId::from_index(program);
                self.executor.with_coverage(self.context, program).merge(covered);
            }
        }
    }

    /// Begins with the worlds of a job.
    pub(crate) fn begin_with(&mut self, job: JobPart) {
        let JobPart { part, begun, invariants, booting } = job;
        self.executor.machine_mut().booting = booting;
        self.worlds.restore_results(invariants);
        self.go_on_counting(begun);
        self.adopt(part);
    }

    /// Takes everything that is left as jobs, at most so many; as one while states may still become nodes,
    /// since those that wait have to be together.
    pub(crate) fn take_rest(&mut self, most: usize) -> Vec<JobPart> {
        let booting = self.executor.machine().booting;
        let most = if booting { 1 } else { most };
        let parts = self.take_parts(most).into_iter();
        let job = |part: WorldPart| JobPart {
            begun: self.steps_of_begun(part.states.iter().map(|st| &**st)),
            invariants: self.worlds.known_results(),
            booting,
            part,
        };
        parts.map(job).collect()
    }

    /// Takes everything that is left as parts, at most so many. They have nothing in common if that can be
    /// had; otherwise states that they share get names.
    fn take_parts(&mut self, most: usize) -> Vec<WorldPart> {
        self.park_current();
        let mut parts = Vec::new();
        if self.states.count() == 0 {
            return parts;
        }
        if most > 1 {
            self.try_all_threads();
        }
        if !self.executor.machine().booting {
            let counts = self.worlds.take_counts();
            self.counters.worlds_done(counts);
        }
        while parts.len() + 1 < most {
            let part = self.split_part(0, HALF).or_else(|| self.split_sharing_part());
            let Some(part) = part else { break };
            parts.push(part);
            self.in_universe(|universe, owner| universe.resume(owner));
            self.counters.worlds_done(self.worlds.take_counts());
        }
        let part = WorldPart {
            from: self.number,
            universe: self.worlds.take_universe(),
            states: self.states.take_all(),
            troubles: std::mem::take(&mut self.troubles).into_iter().collect(),
            coverage: self.executor.coverage().to_vec(),
        };
        if !part.states.is_empty() {
            parts.push(part);
        }
        parts
    }

    /// Splits a part off that shares states with the rest, if there is enough for two.
    fn split_sharing_part(&mut self) -> Option<WorldPart> {
        let is_sds = self.context.config.mapping == MappingKind::Sds;
        (is_sds && !self.has_few()).then(|| self.split_part(usize::MAX, HALF)).flatten()
    }

    /// Tries all threads that could still be asked for at choices of paths: parts that are written one by one
    /// have copies of these choices.
    fn try_all_threads(&mut self) {
        let has_choices =
            |id: &_| self.states.get(*id).is_some_and(|st| !st.extra.choices().is_empty());
        let ids: Vec<_> = self.states.parked_ids().into_iter().filter(has_choices).collect();
        for id in ids {
            let Some(mut st) = self.states.remove(id) else { continue };
            let name = st.extra.twin();
            let (tried, siblings) = self.run_counted(name, |worker| {
                worker.executor.try_all_threads(worker.context, &mut st)
            });
            if let Err(stop) = tried {
                let reason = self.drop_reason(&st, stop);
                self.with_counters_of(name, |counters| counters.drop(reason));
            }
            let st = self.add_siblings(st, siblings);
            self.states.insert(st);
        }
    }
}
