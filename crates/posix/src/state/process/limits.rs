//! The resource limits of a process: [`ResourceLimits`].

use linux_raw_sys::general as linux;
use syscalls::Errno;

/// Kinds of resources.
pub(crate) const RESOURCES: usize = linux::RLIM_NLIMITS as usize;

/// No limit.
pub(crate) const INFINITY: u64 = u64::MAX;

/// The most descriptors that a process may raise its limit to.
pub(crate) const MOST_FILES: u64 = 1 << 20;

/// The limit of one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResourceLimit {
    pub(crate) soft: u64,
    pub(crate) hard: u64,
}

everett_base::portable!(struct ResourceLimit { soft, hard });

/// Soft and hard limit of each resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResourceLimits(pub(crate) [ResourceLimit; RESOURCES]);

everett_base::portable!(struct ResourceLimits(value));

impl Default for ResourceLimits {
    fn default() -> ResourceLimits {
        let mut limits = [ResourceLimit { soft: INFINITY, hard: INFINITY }; RESOURCES];
        let mut set =
            |resource: u32, soft, hard| limits[resource as usize] = ResourceLimit { soft, hard };
        set(linux::RLIMIT_STACK, 8 << 20, INFINITY);
        set(linux::RLIMIT_CORE, 0, INFINITY);
        set(linux::RLIMIT_NPROC, 31_000, 31_000);
        set(linux::RLIMIT_NOFILE, 1024, MOST_FILES);
        set(linux::RLIMIT_MEMLOCK, 8 << 20, 8 << 20);
        set(linux::RLIMIT_SIGPENDING, 31_000, 31_000);
        set(linux::RLIMIT_MSGQUEUE, 819_200, 819_200);
        set(linux::RLIMIT_NICE, 0, 0);
        set(linux::RLIMIT_RTPRIO, 0, 0);
        ResourceLimits(limits)
    }
}

impl ResourceLimits {
    /// The usual limits, but for descriptors and processes where they are given.
    pub(crate) fn with(files: Option<u64>, processes: Option<u64>) -> ResourceLimits {
        let mut limits = ResourceLimits::default();
        let given = [(linux::RLIMIT_NOFILE, files), (linux::RLIMIT_NPROC, processes)];
        for (resource, most) in given {
            if let Some(most) = most {
                limits.0[resource as usize] = ResourceLimit { soft: most, hard: most };
            }
        }
        limits
    }

    /// The limit of a resource.
    pub(crate) fn get(&self, resource: u32) -> ResourceLimit {
        self.0[resource as usize]
    }

    /// The most descriptors that a process may have.
    pub(crate) fn open_files(&self) -> u64 {
        self.get(linux::RLIMIT_NOFILE).soft
    }

    /// The largest size that a process may give a file.
    pub(crate) fn file_size(&self) -> u64 {
        self.get(linux::RLIMIT_FSIZE).soft
    }

    /// Sets a limit, if a process with or without privileges may.
    pub(crate) fn set(
        &mut self,
        resource: u32,
        new: ResourceLimit,
        privileged: bool,
    ) -> Result<(), Errno> {
        if new.soft > new.hard {
            return Err(Errno::EINVAL);
        }
        if resource == linux::RLIMIT_NOFILE && new.hard > MOST_FILES {
            return Err(Errno::EPERM);
        }
        let old = &mut self.0[resource as usize];
        if new.hard > old.hard && !privileged {
            return Err(Errno::EPERM);
        }
        *old = new;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hard_limit_can_be_lowered_but_not_raised_again() {
        let mut limits = ResourceLimits::default();
        assert_eq!(limits.open_files(), 1024);
        let mut set = |soft, hard, privileged| {
            limits.set(linux::RLIMIT_NOFILE, ResourceLimit { soft, hard }, privileged)
        };
        assert_eq!(set(64, 128, false), Ok(()));
        assert_eq!(set(129, 128, false), Err(Errno::EINVAL));
        assert_eq!(set(128, 129, false), Err(Errno::EPERM));
        assert_eq!(set(128, 129, true), Ok(()));
        assert_eq!(set(0, MOST_FILES + 1, true), Err(Errno::EPERM));
        assert_eq!(limits.open_files(), 128);
    }
}
