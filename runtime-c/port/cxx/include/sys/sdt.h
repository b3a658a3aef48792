/* No probes: only tracers of native processes look at them. */
