//! What every board does.

use std::time::Duration;

use super::fake_work::{BUILD, description, fold_with_workers, record, submit, take};
use super::{BRIEF, PATIENT, SHORT, TestCluster};
use crate::store::Shelf;
use crate::{BlobId, ClusterError, Job, JobBoard, RunId, RunState, WorkerStatus};

const PIECE: usize = 512 << 10;

/// Bytes that are not all alike.
fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at * 7 + at / 256) as u8).collect()
}

fn is_idle(board: &JobBoard) -> bool {
    board.take(BRIEF).expect("the board works").is_none()
}

pub(crate) fn runs_are_there_until_they_are_removed(cluster: &dyn TestCluster) {
    let (board, other) = (cluster.board(BUILD), cluster.board("build 2"));
    let (first, second) = (submit(&board, 1), submit(&board, 1));
    for body in [bytes(10), bytes(PIECE + 1)] {
        let root = Job::root(RunId::random(), 1, bytes(200_000));
        let run = description(&root, &body);
        board.submit(&run).expect("submitted");
        board.publish(&root).expect("published");
        assert_eq!(other.run(root.run()).expect("known"), Some((run, RunState::Running)));
        board.remove_run(root.run()).expect("removed");
        assert_eq!(board.run(root.run()).expect("answered"), None);
        let rest = board.store().entries(Shelf::Blobs, None, 0, Duration::ZERO);
        assert_eq!(rest.expect("answered").len(), 0);
    }
    board.end_run(first.run(), &RunState::Finished).expect("ended");
    let runs = other.runs().expect("listed");
    let seen: Vec<_> = runs.iter().map(|(header, state)| (&header.id, state.clone())).collect();
    assert_eq!(seen, [(first.run(), RunState::Finished), (second.run(), RunState::Running)]);
    assert!(matches!(board.remove_run(&RunId::random()), Err(ClusterError::NoSuchRun { .. })));
}

pub(crate) fn first_end_of_a_run_counts(cluster: &dyn TestCluster) {
    let board = cluster.board(BUILD);
    let root = submit(&board, 1);
    let stopped = RunState::Stopped { why: "by hand".to_owned() };
    let taken = take(&board);
    assert_eq!(board.progress(&taken).expect("extended"), RunState::Running);
    assert!(board.end_run(root.run(), &stopped).expect("ended"));
    assert!(!board.end_run(root.run(), &RunState::Finished).expect("ended"));
    assert_eq!(board.run_state(root.run()).expect("known"), Some(stopped.clone()));
    assert_eq!(board.progress(&taken).expect("extended"), stopped);
    board.remove_run(root.run()).expect("removed");
    assert!(board.progress(&taken).expect("extended").has_ended());
    assert!(!board.done(&taken, &record(&[], b"late")).expect("thrown away"));
    assert_eq!(board.record(root.run(), &root.id()).expect("answered"), None);
}

pub(crate) fn run_is_submitted_once(cluster: &dyn TestCluster) {
    let board = cluster.board(BUILD);
    let root = submit(&board, 1);
    board.submit(&description(&root, b"options")).expect("the same run is no other one");
    let again = board.submit(&description(&root, b"other options"));
    assert!(matches!(again, Err(ClusterError::RunExists { .. })));
}

pub(crate) fn run_of_another_build_is_refused(cluster: &dyn TestCluster) {
    let root = Job::root(RunId::random(), 1, Vec::new());
    let submitted = cluster.board("build 2").submit(&description(&root, b""));
    assert!(matches!(submitted, Err(ClusterError::OtherBuild { .. })));
}

pub(crate) fn blobs_of_all_sizes_come_back(cluster: &dyn TestCluster) {
    let (board, other) = (cluster.board(BUILD), cluster.board(BUILD));
    let root = submit(&board, 1);
    for length in [0, 1, PIECE - 1, PIECE, PIECE + 1, 5 * PIECE / 2] {
        let blob = bytes(length);
        let id = board.put_blob(root.run(), &blob).expect("stored");
        assert_eq!(other.put_blob(root.run(), &blob).expect("stored"), id);
        assert_eq!(other.blob(root.run(), &id).expect("answered"), Some(blob));
    }
    assert_eq!(board.blob(root.run(), &BlobId::of(b"absent")).expect("answered"), None);
}

pub(crate) fn damaged_blob_is_refused(cluster: &dyn TestCluster) {
    let board = cluster.board(BUILD);
    let root = submit(&board, 1);
    for garbage in [&b""[..], b"short", &[0xff; 20], &[0; 20]] {
        let id = BlobId::of(garbage);
        let key = format!("{}.blob.{id}.0", root.run());
        assert!(board.store().create(Shelf::Blobs, &key, garbage).expect("stored"));
        let blob = board.blob(root.run(), &id);
        assert!(matches!(blob, Err(ClusterError::Damaged { .. })), "{garbage:?}: {blob:?}");
    }
}

pub(crate) fn jobs_go_to_workers_of_their_build(cluster: &dyn TestCluster) {
    let (board, other) = (cluster.board(BUILD), cluster.board("build 2"));
    let root = submit(&board, 7);
    assert!(is_idle(&other));
    assert_eq!(board.queue_length(root.run()).expect("known").waiting, 1);
    let taken = take(&board);
    assert_eq!((taken.job(), taken.deliveries()), (&root, 1));
    let length = board.queue_length(root.run()).expect("known");
    assert_eq!((length.waiting, length.taken), (0, 1));
    assert!(is_idle(&board));
}

pub(crate) fn jobs_are_added_to_a_run_without_a_root(cluster: &dyn TestCluster) {
    let (board, worker) = (cluster.board(BUILD), cluster.board(BUILD));
    let first = Job::root(RunId::random(), 1, bytes(10));
    let mut run = description(&first, b"options");
    run.header.root = None;
    board.submit(&run).expect("submitted");
    assert!(is_idle(&worker));
    for length in [10, 20, 200_000] {
        let job = Job::root(first.run().clone(), 1, bytes(length));
        board.publish(&job).expect("published");
        let taken = take(&worker);
        assert_eq!(taken.job(), &job);
        assert!(worker.done(&taken, &record(&[], b"done")).expect("recorded"));
        let found = board.record(first.run(), &job.id()).expect("answered");
        assert_eq!(found, Some(record(&[], b"done")));
    }
    board.end_run(first.run(), &RunState::Finished).expect("ended");
    board.publish(&Job::root(first.run().clone(), 1, bytes(30))).expect("published");
    assert!(is_idle(&worker));
}

pub(crate) fn workers_that_wait_are_counted(cluster: &dyn TestCluster) {
    let (board, first, second) =
        (cluster.board(BUILD), cluster.board(BUILD), cluster.board("build 2"));
    let run = RunId::random();
    let wait_until_idle = |count| {
        let begin = crate::clock::now();
        while board.queue_length(&run).expect("known").idle != count {
            assert!(begin.elapsed() < PATIENT, "{:?}", board.queue_length(&run));
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| first.take(PATIENT));
        scope.spawn(|| second.take(Duration::from_secs(1)));
        wait_until_idle(1);
        submit(&board, 7);
        assert!(waiting.join().expect("no panic").expect("the board works").is_some());
        wait_until_idle(0);
    });
}

pub(crate) fn job_that_is_published_twice_is_there_once(cluster: &dyn TestCluster) {
    let board = cluster.board(BUILD);
    let root = submit(&board, 7);
    board.publish(&root).expect("published");
    cluster.board(BUILD).publish(&root).expect("published");
    assert_eq!(board.queue_length(root.run()).expect("known").waiting, 1);
}

pub(crate) fn job_that_is_given_back_is_taken_again(cluster: &dyn TestCluster) {
    let (board, other) = (cluster.board(BUILD), cluster.board(BUILD));
    submit(&board, 7);
    board.give_back(&take(&board)).expect("given back");
    assert_eq!(take(&other).deliveries(), 2);
}

pub(crate) fn first_record_counts(cluster: &dyn TestCluster) {
    let (board, other) = (cluster.board(BUILD), cluster.board(BUILD));
    let root = submit(&board, 7);
    let early = take(&board);
    board.give_back(&early).expect("given back");
    let late = take(&other);
    assert!(other.done(&late, &record(&[], b"first")).expect("recorded"));
    assert!(!board.done(&early, &record(&[], b"second")).expect("thrown away"));
    assert!(!board.done(&early, &record(&[], b"first")).expect("thrown away"));
    assert!(other.done(&late, &record(&[], b"first")).expect("ours already"));
    let there = board.record(root.run(), &root.id()).expect("answered");
    assert_eq!(there, Some(record(&[], b"first")));
    assert!(is_idle(&board));
    board.publish(&root).expect("published");
    assert!(is_idle(&board));
    assert!(board.queue_length(root.run()).expect("known").is_empty());
}

pub(crate) fn large_bodies_come_back(cluster: &dyn TestCluster) {
    let (board, other) = (cluster.board(BUILD), cluster.board(BUILD));
    let root = Job::root(RunId::random(), 3, bytes(3 * PIECE));
    board.submit(&description(&root, b"")).expect("submitted");
    board.publish(&root).expect("published");
    let taken = take(&other);
    assert_eq!(taken.job(), &root);
    let child = taken.job().child(0, 2, bytes(PIECE));
    other.publish(&child).expect("published");
    let large = record(&[&child], &bytes(2 * PIECE));
    assert!(other.done(&taken, &large).expect("recorded"));
    assert!(board.done(&take(&board), &record(&[], &bytes(PIECE))).expect("recorded"));
    assert_eq!(board.record(root.run(), &root.id()).expect("answered"), Some(large.clone()));
    let records = board.records(root.run(), 0, PATIENT).expect("answered");
    assert_eq!(records[0].record, large);
    // Contents of jobs that are done are not kept.
    let rest = board.store().entries(Shelf::Blobs, None, 0, Duration::ZERO).expect("answered");
    assert!(rest.iter().all(|entry| entry.key.contains(".record.")), "{rest:?}");
}

pub(crate) fn child_waits_for_the_record_of_its_parent(cluster: &dyn TestCluster) {
    let (board, other) = (cluster.board(BUILD), cluster.board(BUILD));
    submit(&board, 7);
    let taken = take(&board);
    let child = taken.job().child(0, 6, b"rest".to_vec());
    board.publish(&child).expect("published");
    assert!(is_idle(&other));
    assert!(is_idle(&board));
    assert!(board.done(&taken, &record(&[&child], b"")).expect("recorded"));
    assert_eq!(take(&other).job(), &child);
}

pub(crate) fn child_that_no_record_names_is_dropped(cluster: &dyn TestCluster) {
    let board = cluster.board(BUILD);
    let root = submit(&board, 7);
    let taken = take(&board);
    let (real, unreal) =
        (taken.job().child(0, 6, bytes(10)), taken.job().child(1, 6, bytes(PIECE)));
    for child in [&unreal, &real] {
        board.publish(child).expect("published");
    }
    assert!(board.done(&taken, &record(&[&real], b"")).expect("recorded"));
    assert_eq!(take(&board).job(), &real);
    assert!(is_idle(&board));
    assert_eq!(board.queue_length(root.run()).expect("known").taken, 1);
    let rest = board.store().entries(Shelf::Blobs, None, 0, Duration::ZERO).expect("answered");
    assert_eq!(rest.len(), 0);
}

pub(crate) fn root_that_the_run_does_not_name_is_dropped(cluster: &dyn TestCluster) {
    let board = cluster.board(BUILD);
    let root = submit(&board, 7);
    take(&board);
    board.publish(&Job::root(root.run().clone(), 1, b"forged".to_vec())).expect("published");
    board.publish(&Job::root(RunId::random(), 1, b"of no run".to_vec())).expect("published");
    assert!(is_idle(&board));
    assert_eq!(board.take_warnings(), [""; 0]);
}

pub(crate) fn jobs_of_an_ended_run_are_dropped(cluster: &dyn TestCluster) {
    let board = cluster.board(BUILD);
    let root = submit(&board, 7);
    let taken = take(&board);
    let child = taken.job().child(0, 6, b"rest".to_vec());
    board.publish(&child).expect("published");
    assert!(board.done(&taken, &record(&[&child], b"")).expect("recorded"));
    board.end_run(root.run(), &RunState::Finished).expect("ended");
    assert!(board.queue_length(root.run()).expect("known").is_empty());
    board.publish(&taken.job().child(1, 1, b"late".to_vec())).expect("published");
    assert!(is_idle(&board));
    assert!(board.queue_length(root.run()).expect("known").is_empty());
}

pub(crate) fn records_come_in_order(cluster: &dyn TestCluster) {
    let (board, other) = (cluster.board(BUILD), cluster.board(BUILD));
    let root = submit(&board, 7);
    submit(&board, 7);
    assert_eq!(other.records(root.run(), 0, BRIEF).expect("answered"), []);
    let mut expected = Vec::new();
    let mut after = 0;
    for round in 0..4 {
        let mut taken = take(&board);
        while taken.job().run() != root.run() {
            taken = take(&board);
        }
        let child = taken.job().child(0, 1, vec![round]);
        board.publish(&child).expect("published");
        board.done(&taken, &record(&[&child], &[round])).expect("recorded");
        expected.push((taken.job().id(), vec![round]));
        if round % 2 == 1 {
            let new = other.records(root.run(), after, PATIENT).expect("answered");
            let seen = new.iter().map(|numbered| (numbered.job, numbered.record.body.clone()));
            assert_eq!(seen.collect::<Vec<_>>(), expected[expected.len() - 2..]);
            after = new[1].number;
        }
    }
    let again = board.records(root.run(), 0, Duration::ZERO).expect("answered");
    let seen = again.iter().map(|numbered| (numbered.job, numbered.record.body.clone()));
    assert_eq!(seen.collect::<Vec<_>>(), expected);
    assert!(again.is_sorted_by_key(|numbered| numbered.number));
}

pub(crate) fn news_reach_others(cluster: &dyn TestCluster) {
    let boards = [cluster.board(BUILD), cluster.board(BUILD), cluster.board(BUILD)];
    let (run, other_run) = (RunId::random(), RunId::random());
    for board in &boards {
        assert_eq!(board.heard(&run).expect("listening"), [b""; 0]);
    }
    // Listening begins a moment later on a server; news may be lost, but not for ever.
    let mut heard = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..200 {
        boards[0].tell(&run, b"news").expect("told");
        boards[0].tell(&other_run, b"of another run").expect("told");
        std::thread::sleep(Duration::from_millis(10));
        for (board, heard) in boards.iter().zip(&mut heard) {
            heard.extend(board.heard(&run).expect("listening"));
        }
        if !heard[1].is_empty() && !heard[2].is_empty() {
            break;
        }
    }
    assert!(heard[0].is_empty());
    assert!(heard[1..].iter().all(|heard| heard.contains(&b"news".to_vec())));
    assert!(heard.iter().flatten().all(|news| news == b"news"));
}

pub(crate) fn workers_are_there(cluster: &dyn TestCluster) {
    let (board, other) = (cluster.board(BUILD), cluster.board("build 2"));
    assert_eq!(board.workers().expect("answered"), []);
    let worker = |name: &str, jobs_done| WorkerStatus {
        name: name.to_owned(),
        build: BUILD.to_owned(),
        slots: 2,
        jobs_done,
        runs: vec![RunId::random()],
    };
    let (old, new, second) =
        (worker("host 1 > *", 1), worker("host 1 > *", 2), worker("host.2", 1));
    for status in [&old, &second, &new] {
        board.announce(status).expect("announced");
    }
    assert_eq!(other.workers().expect("answered"), [new, second]);
}

pub(crate) fn garbage_is_refused_with_a_warning(cluster: &dyn TestCluster) {
    let board = cluster.board(BUILD);
    let root = submit(&board, 7);
    let token = &blake3::hash(BUILD.as_bytes()).to_hex()[..16];
    let stranger = RunId::random();
    let job = |weight| crate::wire::StoredJob {
        run: root.run().clone(),
        id: root.id(),
        parent: None,
        number: 0,
        weight,
        body: crate::wire::StoredBody::Inline(b"not the content".to_vec()),
    };
    let encoded = crate::wire::encode(&job(1));
    let mut longer = encoded.clone();
    longer.push(0);
    let messages = [
        (root.run(), &b""[..]),
        (root.run(), b"garbage"),
        (root.run(), &[1; 300]),
        (root.run(), &[0xff; 100]),
        (root.run(), &encoded[..encoded.len() - 1]),
        (root.run(), &longer),
        (root.run(), &encoded),
        (&stranger, &encoded),
    ];
    for (number, (run, message)) in messages.iter().enumerate() {
        let name = format!("garbage {number}");
        board.store().enqueue(token, run, &name, message).expect("enqueued");
    }
    assert_eq!(take(&board).job(), &root);
    assert!(is_idle(&board));
    let warnings = board.take_warnings();
    assert_eq!(warnings.len(), messages.len(), "{warnings:#?}");
    assert_eq!(board.queue_length(root.run()).expect("known").taken, 1);
    assert_eq!(board.take_warnings(), [""; 0]);
}

pub(crate) fn lost_content_stops_the_run(cluster: &dyn TestCluster) {
    let board = cluster.board(BUILD);
    let root = Job::root(RunId::random(), 3, bytes(PIECE));
    board.submit(&description(&root, b"")).expect("submitted");
    board.publish(&root).expect("published");
    board.store().clear(Shelf::Blobs, root.run().as_str()).expect("lost");
    assert!(is_idle(&board));
    let state = board.run_state(root.run()).expect("known").expect("there");
    assert!(matches!(state, RunState::Stopped { why } if why.contains("not at the server")));
}

pub(crate) fn too_large_is_an_error(cluster: &dyn TestCluster) {
    let board = cluster.board(BUILD);
    submit(&board, 7);
    let taken = take(&board);
    let children = vec![taken.job().id(); 10_001];
    let record = crate::JobRecord { children, body: Vec::new() };
    let too_large = board.done(&taken, &record);
    assert!(matches!(too_large, Err(ClusterError::TooLarge { .. })));
    let too_large = board.tell(taken.job().run(), &bytes(PIECE + 1));
    assert!(matches!(too_large, Err(ClusterError::TooLarge { .. })));
    // The largest of both fits.
    let children = vec![taken.job().id(); 10_000];
    let record = crate::JobRecord { children, body: bytes(128 << 10) };
    assert!(board.done(&taken, &record).expect("recorded"));
    board.tell(taken.job().run(), &bytes(PIECE)).expect("told");
}

pub(crate) fn equal_jobs_are_two_jobs(cluster: &dyn TestCluster) {
    let board = cluster.board(BUILD);
    submit(&board, 7);
    let taken = take(&board);
    let twins =
        [taken.job().child(0, 3, b"three".to_vec()), taken.job().child(1, 3, b"three".to_vec())];
    for twin in &twins {
        board.publish(twin).expect("published");
    }
    board.done(&taken, &record(&[&twins[0], &twins[1]], b"")).expect("recorded");
    let mut seen = [take(&board).job().id(), take(&board).job().id()];
    seen.sort();
    let mut expected = twins.map(|twin| twin.id());
    expected.sort();
    assert_eq!(seen, expected);
}

pub(crate) fn job_comes_again_when_its_hold_expires(cluster: &dyn TestCluster) {
    let (board, other) = (cluster.board(BUILD), cluster.board(BUILD));
    let root = submit(&board, 7);
    take(&board);
    assert!(is_idle(&other));
    let again = take(&other);
    assert_eq!((again.job(), again.deliveries()), (&root, 2));
}

pub(crate) fn progress_extends_the_hold(cluster: &dyn TestCluster) {
    let (board, other) = (cluster.board(BUILD), cluster.board(BUILD));
    submit(&board, 7);
    let taken = take(&board);
    std::thread::scope(|scope| {
        let handle = taken.clone();
        let board = &board;
        scope.spawn(move || {
            for _ in 0..30 {
                board.progress(&handle).expect("extended");
                std::thread::sleep(SHORT / 8);
            }
        });
        // Well beyond one hold.
        assert!(other.take(SHORT * 5 / 2).expect("the board works").is_none());
    });
}

pub(crate) fn late_record_of_an_expired_hold_counts(cluster: &dyn TestCluster) {
    let (board, other) = (cluster.board(BUILD), cluster.board(BUILD));
    let root = submit(&board, 7);
    let late = take(&board);
    let again = take(&other);
    assert!(board.done(&late, &record(&[], b"late, yet first")).expect("recorded"));
    assert!(!other.done(&again, &record(&[], b"second")).expect("thrown away"));
    assert!(is_idle(&board));
    let there = board.record(root.run(), &root.id()).expect("answered").expect("there");
    assert_eq!(there.body, b"late, yet first");
}

pub(crate) fn tree_is_folded_exactly_while_workers_die(cluster: &dyn TestCluster) {
    fold_with_workers(cluster, 300, 4, &|| {});
}
