package io.github.zklock.zookeeper.internal.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.CapturedLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the watch of one queue sends, and when its owner is told of what. The test answers for the servers. */
class QueueWatchTest {

    private static final String QUEUE = "/locks/stats";
    private static final String LIST = "list " + QUEUE;
    private static final String WATCH_TREE = "watchTree " + QUEUE;
    private static final String UNWATCH_TREE = "unwatchTree " + QUEUE;
    /** So many events of nested folders are taken, and so many more for each event of a seat. */
    private static final int STRANGE_EVENTS_AT_FIRST = 64;

    private static final int STRANGE_EVENTS = 4;

    private final List<SeatName> appeared = new ArrayList<>();
    private final RecordedSession servers = new RecordedSession();
    private final ManualTime time = new ManualTime(Runnable::run);
    private final PinnedSession session = new PinnedSession(
            new EngineRun(Runnable::run), servers, servers.ungrouped(), time, (source, outcome) -> {});
    private final List<String> told = new ArrayList<>();
    private Runnable whenViewChanges = () -> {};
    /** The seats of this process. */
    private final Set<SeatName> own = new HashSet<>();

    private final QueueWatch watch = new QueueWatch(owner(), session, time, QUEUE);

    // the seats in front

    @Test
    void waitingSeatCostsAListingAndAWatchOfTheSeatInFront() {
        watch.look();
        watch.follow(null, false);
        assertThat(servers.sent()).containsExactly(LIST);

        listed(exclusive(0), exclusive(1), exclusive(2), exclusive(3));
        watch.follow(exclusive(2), false);

        assertThat(told()).containsExactly("listed 1", "view changed");
        assertThat(servers.sent()).containsExactly(readOf(exclusive(1)));
        assertThat(servers.watched()).containsExactly(path(exclusive(1)));
        assertThat(servers.watchedTrees()).isEmpty();
        assertThat(watch.isLive()).isFalse();
        assertThat(watch.places(exclusive(2))).isTrue();
    }

    @Test
    void manyRequestsForAListingShareThoseThatFollow() {
        for (int i = 1; i <= 4; i++) {
            assertThat(watch.look()).isEqualTo(i);
        }
        assertThat(servers.sent()).containsExactly(LIST, LIST, LIST, LIST);

        assertThat(watch.look()).isEqualTo(5);
        assertThat(watch.look()).as("the same one").isEqualTo(5);
        assertThat(servers.sent()).isEmpty();
        assertThat(watch.isBeingListed()).isTrue();

        listed(exclusive(0));
        assertThat(servers.sent()).containsExactly(LIST);
        assertThat(watch.lastListed()).isEqualTo(1);
        assertThat(watch.look()).as("that one was sent before").isEqualTo(6);
    }

    @Test
    void seatComesToTheHeadWithoutAListingWhenTheOnlyOneInFrontIsDeleted() {
        waitWithFronts(exclusive(1), exclusive(0), exclusive(1));

        fireDeleted(exclusive(0));

        assertThat(told()).containsExactly("view changed");
        assertThat(watch.view().holds(exclusive(1))).isTrue();
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void seatInFrontThatIsGoneBeforeItIsWatchedCountsAsDeleted() {
        look(exclusive(0), exclusive(1));
        watch.follow(exclusive(1), false);
        servers.sent();

        servers.answer(readOf(exclusive(0)), Outcome.NO_NODE, null);

        assertThat(told()).containsExactly("view changed");
        assertThat(watch.view().holds(exclusive(1))).isTrue();
        assertThat(servers.watched()).isEmpty();
    }

    @Test
    void queueIsListedAgainIfSeatsThatAreNotWatchedStandInFront() {
        waitWithFronts(exclusive(2), exclusive(0), exclusive(1), exclusive(2));

        fireDeleted(exclusive(1));

        assertThat(told()).isEmpty();
        assertThat(servers.sent()).containsExactly(LIST);

        listed(exclusive(0), exclusive(2));
        watch.follow(exclusive(2), false);

        assertThat(told()).containsExactly("listed 2", "view changed");
        assertThat(servers.sent()).containsExactly(readOf(exclusive(0)));
    }

    @Test
    void seatWhoseDataChangesIsWatchedAgain() {
        waitWithFronts(exclusive(1), exclusive(0), exclusive(1));

        servers.fire(path(exclusive(0)), Event.DATA_CHANGED);

        assertThat(told()).isEmpty();
        assertThat(servers.sent()).containsExactly(readOf(exclusive(0)));
        assertThat(servers.watched()).containsExactly(path(exclusive(0)));
    }

    @Test
    void queueIsAlwaysListedAgainWhenAWriterInFrontIsGone() {
        SeatName writer = write(0);
        waitWithFronts(write(1), writer, write(1));

        fireDeleted(writer);

        assertThat(told()).isEmpty();
        assertThat(watch.places(write(1))).isFalse();
        assertThat(servers.sent()).containsExactly(LIST);

        // the writer has become a reader
        listed(writer.asReader(), write(1));
        watch.follow(write(1), false);

        assertThat(watch.view().holds(write(1))).isFalse();
        assertThat(servers.sent()).containsExactly(readOf(writer.asReader()));
    }

    @Test
    void nearestWriterAloneIsWatchedForAReader() {
        waitWithFronts(read(3), write(0), write(1), read(2), read(3));

        assertThat(servers.watched()).containsExactly(path(write(1)));
    }

    @Test
    void waiterOfASemaphoreThatWatchesAllInFrontNeedsNoListing() {
        SeatName first = permits(2, 3, 0);
        SeatName second = permits(1, 3, 1);
        SeatName third = permits(1, 3, 2);
        SeatName own = permits(2, 3, 3);
        waitWithFronts(own, first, second, third, own);
        assertThat(servers.watched()).containsExactlyInAnyOrder(path(first), path(second), path(third));

        fireDeleted(second);

        assertThat(told()).containsExactly("view changed");
        assertThat(watch.view().holds(own)).isFalse();
        assertThat(servers.sent()).isEmpty();

        fireDeleted(first);

        assertThat(told()).containsExactly("view changed");
        assertThat(watch.view().holds(own)).isTrue();
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void waiterOfASemaphoreWithManyInFrontWatchesAsManyAsThePermitsSufficeForAndListsAgain() {
        SeatName own = permits(1, 2, 6);
        waitWithFronts(
                own,
                permits(1, 2, 0),
                permits(1, 2, 1),
                permits(1, 2, 2),
                permits(1, 2, 3),
                permits(1, 2, 4),
                permits(1, 2, 5),
                own);
        assertThat(servers.watched()).containsExactlyInAnyOrder(path(permits(1, 2, 5)), path(permits(1, 2, 4)));

        fireDeleted(permits(1, 2, 4));

        assertThat(told()).isEmpty();
        assertThat(watch.places(own)).isFalse();
        assertThat(servers.sent()).containsExactly(LIST);
    }

    @Test
    void waiterOfASemaphoreThatFitsBesideAllInFrontNeedsNoListing() {
        SeatName large = permits(8, 10, 4);
        SeatName own = permits(2, 10, 5);
        waitWithFronts(own, permits(1, 10, 0), permits(1, 10, 1), permits(1, 10, 2), permits(1, 10, 3), large, own);
        assertThat(servers.watched()).containsExactlyInAnyOrder(path(large), path(permits(1, 10, 3)));

        fireDeleted(large);

        assertThat(told()).containsExactly("view changed");
        assertThat(watch.view().holds(own)).isTrue();
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void nothingIsWatchedAnyMoreWhenTheSeatDoesNotWait() {
        waitWithFronts(exclusive(1), exclusive(0), exclusive(1));

        watch.follow(null, false);

        assertThat(servers.watched()).isEmpty();
        assertThat(servers.sent()).containsExactly("unwatch " + path(exclusive(0)));
    }

    @Test
    void seatInFrontThatMayNotBeReadIsReported() {
        look(exclusive(0), exclusive(1));
        watch.follow(exclusive(1), false);

        servers.answer(readOf(exclusive(0)), Outcome.ACCESS_DENIED, null);

        assertThat(told()).containsExactly("unreadable ACCESS_DENIED " + path(exclusive(0)));
    }

    @Test
    void listingThatIsDeniedIsReportedAndChangesNothing() {
        look(exclusive(0), exclusive(1));

        watch.look();
        servers.answer(LIST, Outcome.ACCESS_DENIED, null);

        assertThat(told()).containsExactly("unreadable ACCESS_DENIED " + QUEUE);
        assertThat(watch.view().size()).isEqualTo(2);
    }

    @Test
    void queueWhoseFolderIsMissingIsEmpty() {
        look(exclusive(0), exclusive(1));

        watch.look();
        servers.answer(LIST, Outcome.NO_NODE, null);

        assertThat(told()).containsExactly("listed 2", "view changed");
        assertThat(watch.view().size()).isZero();
    }

    // whether the own node is still there

    @Test
    void seatAtTheHeadByAListingIsNotAskedFor() {
        whenViewChanges = () -> watch.confirm(exclusive(0));
        watch.look();
        servers.sent();

        listed(exclusive(0));

        assertThat(told()).containsExactly("listed 1", "view changed");
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void seatAtTheHeadByAnEventIsAskedForBehindASync() {
        own.add(exclusive(1));
        waitWithFronts(exclusive(1), exclusive(0), exclusive(1));
        whenViewChanges = () -> watch.confirm(exclusive(1));

        fireDeleted(exclusive(0));

        assertThat(servers.sent()).containsExactly("sync " + QUEUE, "read " + path(exclusive(1)));
        told();
        servers.answer("read " + path(exclusive(1)), Outcome.NO_NODE, null);
        assertThat(told()).containsExactly("deleted " + exclusive(1).node());
    }

    @Test
    void seatsThatComeToTheHeadDuringAQuestionShareTheNextOneUnlessTheyHaveLeft() {
        own.addAll(List.of(exclusive(0), exclusive(1), exclusive(2), exclusive(3)));
        look(exclusive(0), exclusive(1), exclusive(2), exclusive(3));
        watch.confirm(exclusive(0));
        assertThat(servers.sent()).containsExactly("sync " + QUEUE, "read " + path(exclusive(0)));

        watch.confirm(exclusive(1));
        watch.confirm(exclusive(2));
        watch.confirm(exclusive(3));
        own.remove(exclusive(1));
        assertThat(servers.sent()).isEmpty();
        servers.answer("read " + path(exclusive(0)), Outcome.OK, new Node(path(exclusive(0)), 7, 1, new byte[0], 0));

        String both = "exist [" + path(exclusive(2)) + ", " + path(exclusive(3)) + "]";
        assertThat(servers.sent()).containsExactly("sync " + QUEUE, both);
        servers.answer(both, Outcome.OK, List.of(true, false));
        assertThat(told()).containsExactly("deleted " + exclusive(3).node());
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void seatOfThisProcessInFrontIsNotWatched() {
        own.addAll(List.of(exclusive(1), exclusive(2)));
        look(exclusive(0), exclusive(1), exclusive(2));

        watch.follow(exclusive(2), false);

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void folderIsWatchedFromTheNextTickOnIfListingsCostMoreThanEvents() {
        own.addAll(List.of(exclusive(1), exclusive(3)));
        look(exclusive(0), exclusive(1), exclusive(2), exclusive(3));
        watch.follow(exclusive(1), false);
        assertThat(servers.watchedTrees()).isEmpty();

        watch.tick();
        watch.follow(exclusive(1), false);

        assertThat(servers.watchedTrees()).containsExactly(QUEUE);
    }

    @Test
    void folderIsNotWatchedForOneRunOfSeats() {
        own.addAll(List.of(exclusive(1), exclusive(2)));
        look(exclusive(0), exclusive(1), exclusive(2));

        watch.tick();
        watch.follow(exclusive(1), false);

        assertThat(servers.watchedTrees()).isEmpty();
    }

    @Test
    void folderIsNotWatchedForOneSeatBehindAnother() {
        own.add(exclusive(1));
        look(exclusive(0), exclusive(1));

        watch.tick();
        watch.follow(exclusive(1), false);

        assertThat(servers.watchedTrees()).isEmpty();
    }

    @Test
    void folderIsWatchedIfTheListedNamesCostMoreThanEvents() {
        // 11 listings cost 55 and 1,100 names 137, and the events of 100 seats 200
        waitAmong(100, 11);
        assertThat(servers.watchedTrees()).isEmpty();

        // 12 listings cost 60 and 1,200 names 150
        waitAmong(100, 12);
        assertThat(servers.watchedTrees()).containsExactly(QUEUE);
    }

    @Test
    void folderIsNotWatchedForSeatsThatDoNotWait() {
        own.addAll(List.of(exclusive(1), exclusive(3)));
        look(exclusive(0), exclusive(1), exclusive(2), exclusive(3));

        watch.tick();
        watch.follow(null, false);

        assertThat(servers.watchedTrees()).isEmpty();
    }

    /** Some of the seats, none of which are neighbours, wait for more than a tick. */
    private void waitAmong(int seats, int ofThisProcess) {
        own.clear();
        for (int i = 0; i < ofThisProcess; i++) {
            own.add(exclusive(2 * i + 1));
        }
        look(IntStream.range(0, seats).mapToObj(QueueWatchTest::exclusive).toArray(SeatName[]::new));
        watch.tick();
        watch.follow(exclusive(1), false);
    }

    @Test
    void seatAtTheHeadByALiveViewIsNotAskedFor() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));
        whenViewChanges = () -> watch.confirm(exclusive(1));

        fire(TreeEvent.DELETED, exclusive(0));

        assertThat(servers.sent()).isEmpty();
    }

    // the live view

    @Test
    void folderIsWatchedAndListedBehindThatIfArrivalsMatterWhileASeatWaits() {
        look(exclusive(0), exclusive(1), exclusive(2));

        watch.follow(exclusive(1), true);

        assertThat(servers.sent()).containsExactly(WATCH_TREE, LIST);
        assertThat(servers.watched()).isEmpty();
        watch.follow(exclusive(1), true);
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void folderIsWatchedIfArrivalsMatterAndNotForSeatsThatHold() {
        look(exclusive(0), exclusive(1));

        watch.follow(null, false);
        assertThat(servers.sent()).isEmpty();

        watch.follow(null, true);
        assertThat(servers.sent()).containsExactly(WATCH_TREE, LIST);
    }

    @Test
    void seatsInFrontAreNoLongerWatchedOnceTheFolderIs() {
        waitWithFronts(exclusive(1), exclusive(0), exclusive(1), exclusive(2));

        watch.follow(exclusive(1), true);

        assertThat(servers.sent()).containsExactly(WATCH_TREE, LIST, "unwatch " + path(exclusive(0)));
    }

    @Test
    void viewIsLiveWhenTheListingBehindTheWatchIsAnswered() {
        armTree(exclusive(0), exclusive(1));

        servers.answer(WATCH_TREE, Outcome.OK, null);
        assertThat(watch.isLive()).isFalse();

        listed(exclusive(0), exclusive(1));
        assertThat(watch.isLive()).isTrue();
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void listingThatWasSentBeforeTheWatchDoesNotMakeTheViewLive() {
        watch.look();
        watch.follow(exclusive(1), true);
        assertThat(servers.sent()).containsExactly(LIST, WATCH_TREE, LIST);
        servers.answer(WATCH_TREE, Outcome.OK, null);

        listed(exclusive(0), exclusive(1));
        assertThat(watch.isLive()).isFalse();

        listed(exclusive(0), exclusive(1));
        assertThat(watch.isLive()).isTrue();
    }

    @Test
    void viewIsListedAgainIfTheListingIsAnsweredBeforeTheWatchIsSet() {
        armTree(exclusive(0), exclusive(1));

        listed(exclusive(0), exclusive(1));
        assertThat(watch.isLive()).isFalse();
        servers.answer(WATCH_TREE, Outcome.OK, null);
        assertThat(watch.isLive()).isFalse();
        assertThat(servers.sent()).containsExactly(LIST);

        listed(exclusive(0), exclusive(1));
        assertThat(watch.isLive()).isTrue();
    }

    @Test
    void watchWithoutAnAnswerIsAskedForAgainAndListedAgainBehindThat() {
        armTree(exclusive(0), exclusive(1));

        servers.answer(WATCH_TREE, Outcome.UNKNOWN, null);
        listed(exclusive(0), exclusive(1));
        time.advance(session.timeoutNanos());
        assertThat(servers.sent()).containsExactly(WATCH_TREE);
        servers.answer(WATCH_TREE, Outcome.OK, null);

        assertThat(watch.isLive()).isFalse();
        assertThat(servers.sent()).containsExactly(LIST);
        listed(exclusive(0), exclusive(1));
        assertThat(watch.isLive()).isTrue();
    }

    @Test
    void eventsKeepALiveViewCurrent() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));

        fire(TreeEvent.CREATED, exclusive(3));
        assertThat(told()).containsExactly("view changed");
        assertThat(watch.view().seats()).containsExactly(exclusive(0), exclusive(1), exclusive(2), exclusive(3));

        fire(TreeEvent.DELETED, exclusive(0));
        assertThat(told()).containsExactly("deleted " + exclusive(0).node(), "view changed");
        assertThat(watch.view().holds(exclusive(1))).isTrue();
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void seatCreatedBeforeTheViewIsLiveIsNotTrusted() {
        armTree(exclusive(0), exclusive(1));
        servers.answer(WATCH_TREE, Outcome.OK, null);

        fire(TreeEvent.CREATED, exclusive(5));

        assertThat(told()).isEmpty();
        assertThat(watch.view().contains(exclusive(5))).isFalse();
    }

    @Test
    void seatDeletedBeforeTheViewIsLiveIsReported() {
        armTree(exclusive(0), exclusive(1));
        servers.answer(WATCH_TREE, Outcome.OK, null);

        fire(TreeEvent.DELETED, exclusive(1));

        assertThat(told()).containsExactly("deleted " + exclusive(1).node());
        assertThat(watch.view().contains(exclusive(1))).isFalse();
    }

    @Test
    void missedEventsEndTheLiveViewUntilItIsWatchedAndListedAgain() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));

        servers.fire(QUEUE, TreeEvent.MISSED, "");

        assertThat(watch.isLive()).isFalse();
        assertThat(servers.sent()).containsExactly(WATCH_TREE, LIST);
        servers.answer(WATCH_TREE, Outcome.OK, null);
        fire(TreeEvent.CREATED, exclusive(4));
        assertThat(watch.isLive()).isFalse();
        assertThat(watch.view().contains(exclusive(4))).isFalse();
        listed(exclusive(1), exclusive(2), exclusive(4));
        assertThat(watch.isLive()).isTrue();
        assertThat(watch.view().seats()).containsExactly(exclusive(1), exclusive(2), exclusive(4));
    }

    @Test
    void missedEventsEndTheCertaintyOfPlaces() {
        waitLive(permits(1, 1, 0), permits(1, 1, 1), permits(1, 1, 2));
        assertThat(watch.places(permits(1, 1, 1))).isTrue();

        servers.fire(QUEUE, TreeEvent.MISSED, "");

        assertThat(watch.places(permits(1, 1, 1))).isFalse();
    }

    @Test
    void listingThatWasSentBeforeEventsWereMissedDoesNotMakeTheViewLive() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));
        watch.look();

        servers.fire(QUEUE, TreeEvent.MISSED, "");
        servers.answer(WATCH_TREE, Outcome.OK, null);
        listed(exclusive(0), exclusive(1), exclusive(2));

        assertThat(watch.isLive()).isFalse();
    }

    @Test
    void folderThatIsDeletedIsListed() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));

        servers.fire(QUEUE, TreeEvent.CREATED, QUEUE);
        assertThat(servers.sent()).isEmpty();

        servers.fire(QUEUE, TreeEvent.DELETED, QUEUE);
        assertThat(servers.sent()).containsExactly(LIST);
        assertThat(told()).isEmpty();
    }

    @Test
    void seatsInFrontAreWatchedWhereTheFolderCannotBe() {
        armTree(exclusive(0), exclusive(1), exclusive(2));

        servers.answer(WATCH_TREE, Outcome.REFUSED, null);
        assertThat(told()).containsExactly("view changed");
        assertThat(watch.isWithoutArrivals()).isTrue();
        watch.follow(exclusive(1), true);

        assertThat(servers.watched()).containsExactly(path(exclusive(0)));
        assertThat(servers.sent()).containsExactly("unwatchTree " + QUEUE, readOf(exclusive(0)));
        listed(exclusive(0), exclusive(1), exclusive(2));
        assertThat(watch.isLive()).isFalse();
    }

    @Test
    void tooManyEventsOfNestedFoldersEndTheWatchOfTheFolder() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));

        fireStrange(STRANGE_EVENTS_AT_FIRST);
        assertThat(watch.isLive()).isTrue();
        assertThat(servers.sent()).isEmpty();

        fireStrange(1);
        assertThat(watch.isLive()).isFalse();
        assertThat(watch.isWithoutArrivals()).isTrue();
        assertThat(servers.sent()).containsExactly(UNWATCH_TREE, LIST);
        watch.follow(exclusive(1), true);
        assertThat(servers.watched()).containsExactly(path(exclusive(0)));
    }

    @Test
    void eventsOfSeatsMakeRoomForEventsOfNestedFolders() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));

        fire(TreeEvent.CREATED, exclusive(3));
        fireStrange(STRANGE_EVENTS_AT_FIRST + STRANGE_EVENTS);
        assertThat(watch.isLive()).isTrue();

        fireStrange(1);
        assertThat(watch.isLive()).isFalse();
    }

    @Test
    void ownerIsToldThatArrivalsAreNotSeenAnyMore() {
        look(exclusive(0));
        watch.follow(null, true);
        servers.answer(WATCH_TREE, Outcome.OK, null);
        listed(exclusive(0));
        told();
        servers.sent();

        fireStrange(STRANGE_EVENTS_AT_FIRST + 1);

        assertThat(told()).containsExactly("view changed");
        assertThat(watch.isWithoutArrivals()).isTrue();
        assertThat(servers.sent()).containsExactly(UNWATCH_TREE);
    }

    @Test
    void seatInANestedFolderIsNoSeatOfTheQueue() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));

        servers.fire(QUEUE, TreeEvent.CREATED, QUEUE + "/nested/" + exclusive(9).node());
        servers.fire(QUEUE, TreeEvent.DELETED, QUEUE + "/nested/" + exclusive(0).node());

        assertThat(told()).isEmpty();
        assertThat(watch.view().seats()).containsExactly(exclusive(0), exclusive(1), exclusive(2));
    }

    // the connection

    @Test
    void nothingIsCurrentWithoutAConnection() {
        waitLive(permits(1, 1, 0), permits(1, 1, 1), permits(1, 1, 2));

        watch.connectionLost();

        assertThat(watch.isLive()).isFalse();
        assertThat(watch.places(permits(1, 1, 1))).isFalse();
        fire(TreeEvent.CREATED, permits(1, 1, 3));
        assertThat(told()).isEmpty();
    }

    @Test
    void exclusiveSeatKeepsItsPlaceWithoutAConnection() {
        look(exclusive(0), exclusive(1));

        watch.connectionLost();

        assertThat(watch.places(exclusive(1))).isTrue();
    }

    @Test
    void noSeatInFrontIsWatchedByAViewThatIsNotCurrent() {
        look(exclusive(0), exclusive(1));
        watch.connectionLost();

        watch.follow(exclusive(1), false);

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void folderIsWatchedAndListedAgainOnTheNextConnection() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));
        watch.connectionLost();

        watch.connectionRestored();

        assertThat(servers.sent()).containsExactly(WATCH_TREE, LIST);
        listed(exclusive(1), exclusive(2));
        assertThat(watch.isLive()).isFalse();
        servers.answer(WATCH_TREE, Outcome.OK, null);
        listed(exclusive(1), exclusive(2));
        assertThat(watch.isLive()).isTrue();
    }

    @Test
    void seatsInFrontAreWatchedAndListedAgainOnTheNextConnection() {
        waitWithFronts(exclusive(1), exclusive(0), exclusive(1));
        watch.connectionLost();

        watch.connectionRestored();

        assertThat(servers.sent()).containsExactly(readOf(exclusive(0)), LIST);
        assertThat(servers.watched()).containsExactly(path(exclusive(0)));
    }

    @Test
    void nothingIsAskedOnTheNextConnectionIfNoSeatWaits() {
        look(exclusive(0));
        watch.follow(null, false);
        watch.connectionLost();

        watch.connectionRestored();

        assertThat(servers.sent()).isEmpty();
    }

    // the check

    @Test
    void queueIsListedEachSessionTimeoutWhileASeatWaits() {
        waitWithFronts(exclusive(1), exclusive(0), exclusive(1));

        time.advance(session.timeoutNanos() - 1);
        watch.tick();
        assertThat(servers.sent()).isEmpty();

        time.advance(1);
        watch.tick();
        assertThat(servers.sent()).containsExactly(LIST);

        listed(exclusive(0), exclusive(1));
        time.advance(session.timeoutNanos() - 1);
        watch.tick();
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void queueIsNotListedWhileNoSeatWaits() {
        look(exclusive(0));
        watch.follow(null, false);

        time.advance(2 * session.timeoutNanos());
        watch.tick();

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void liveViewThatDiffersFromTheListingIsReportedAndReplaced() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));
        time.advance(session.timeoutNanos());
        watch.tick();
        servers.sent();

        try (CapturedLog log = new CapturedLog(QueueWatch.class)) {
            listed(exclusive(1), exclusive(2), exclusive(3), exclusive(4));

            log.await("ERROR The live view of queue " + QUEUE + " shows 3 seats and the queue has 4");
        }
        assertThat(watch.view().seats()).containsExactly(exclusive(1), exclusive(2), exclusive(3), exclusive(4));
        assertThat(watch.isLive()).isFalse();
        assertThat(watch.isWithoutArrivals()).isTrue();
        assertThat(servers.sent()).containsExactly(UNWATCH_TREE);
        watch.follow(exclusive(2), true);
        assertThat(servers.sent()).containsExactly(readOf(exclusive(1)));
    }

    @Test
    void liveViewThatAgreesWithTheListingStaysLive() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));
        fire(TreeEvent.DELETED, exclusive(0));
        fire(TreeEvent.CREATED, exclusive(3));
        time.advance(session.timeoutNanos());
        watch.tick();

        listed(exclusive(1), exclusive(2), exclusive(3));

        assertThat(watch.isLive()).isTrue();
    }

    @Test
    void liveViewStaysLiveWhileTheNodeOfARepeatedCreateIsStillThere() {
        SeatName repeated = exclusive(2, 3);
        waitLive(exclusive(0), exclusive(1), exclusive(2));
        fire(TreeEvent.CREATED, repeated);
        watch.view().remove(exclusive(2));
        time.advance(session.timeoutNanos());
        watch.tick();

        listed(exclusive(0), exclusive(1), exclusive(2), repeated);

        assertThat(watch.isLive()).isTrue();
    }

    @Test
    void folderIsWatchedForAWholeTickAfterItHadToBe() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));
        watch.tick();
        watch.follow(exclusive(1), true);
        watch.follow(exclusive(1), false);

        watch.tick();
        assertThat(watch.isLive()).isTrue();
        assertThat(servers.sent()).isEmpty();

        watch.tick();
        assertThat(watch.isLive()).isFalse();
        assertThat(servers.sent()).containsExactly(UNWATCH_TREE, readOf(exclusive(0)));
    }

    // the seats that this process leaves

    @Test
    void seatThatWasLeftIsHiddenUntilItIsForgotten() {
        look(exclusive(0), exclusive(1));

        watch.leave(exclusive(0));
        assertThat(watch.view().seats()).containsExactly(exclusive(1));
        look(exclusive(0), exclusive(1));
        assertThat(watch.view().seats()).containsExactly(exclusive(1));

        watch.forget(exclusive(0).id());
        look(exclusive(0), exclusive(1));
        assertThat(watch.view().seats()).containsExactly(exclusive(0), exclusive(1));
    }

    @Test
    void seatThatWasLeftStaysOutOfALiveView() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));

        watch.leave(exclusive(0));
        fire(TreeEvent.CREATED, exclusive(0));
        assertThat(watch.view().seats()).containsExactly(exclusive(1), exclusive(2));

        // the listing shows it, as it is not deleted yet, and no event was lost
        watch.look();
        listed(exclusive(0), exclusive(1), exclusive(2));
        assertThat(watch.view().seats()).containsExactly(exclusive(1), exclusive(2));
        assertThat(watch.isLive()).isTrue();
    }

    @Test
    void seatThatWasLeftIsForgottenWhenItIsKnownToBeGone() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));
        watch.leave(exclusive(0));

        watch.forget(exclusive(0).id());
        fire(TreeEvent.CREATED, exclusive(0));

        assertThat(watch.view().contains(exclusive(0))).isTrue();
    }

    @Test
    void seatThatWasRenamedHasItsNewName() {
        look(write(0), read(1));

        watch.renamed(write(0), write(0).asReader());

        assertThat(watch.view().seats()).containsExactly(write(0).asReader(), read(1));
    }

    // the end

    @Test
    void endRemovesTheWatchesOfTheSeatsInFront() {
        SeatName own = permits(1, 2, 2);
        waitWithFronts(own, permits(1, 2, 0), permits(1, 2, 1), own);

        watch.end();

        assertThat(servers.watched()).isEmpty();
        assertThat(servers.sent())
                .containsExactlyInAnyOrder("unwatch " + path(permits(1, 2, 0)), "unwatch " + path(permits(1, 2, 1)));
    }

    @Test
    void endRemovesTheWatchOfTheFolder() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));

        watch.end();

        assertThat(servers.watchedTrees()).isEmpty();
        assertThat(servers.sent()).containsExactly(UNWATCH_TREE);
    }

    @Test
    void endRemovesAWatchOfTheFolderThatIsNotSetYet() {
        armTree(exclusive(0), exclusive(1));

        watch.end();

        assertThat(servers.sent()).containsExactly(UNWATCH_TREE);
        servers.answer(WATCH_TREE, Outcome.OK, null);
        listed(exclusive(0), exclusive(1));
        assertThat(told()).isEmpty();
        assertThat(watch.isLive()).isFalse();
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void folderStaysWatchedAtTheFirstTickAfterItHadToBe() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));
        watch.tick();
        // no follow in between: the folder is wanted all the time until here
        watch.follow(exclusive(1), false);

        watch.tick();

        assertThat(watch.isLive()).isTrue();
    }

    @Test
    void siblingThatIsDeletedDoesNotShowASeatThatWasLeft() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));
        watch.leave(exclusive(0));
        SeatName sibling = SeatName.parse(SeatName.stem(exclusive(0).id(), Demand.EXCLUSIVE) + "0000000009")
                .orElseThrow();

        fire(TreeEvent.DELETED, sibling);
        watch.look();
        listed(exclusive(0), exclusive(1), exclusive(2));

        assertThat(watch.view().seats()).containsExactly(exclusive(1), exclusive(2));
        assertThat(watch.isLive()).isTrue();
    }

    @Test
    void watchOfTheFolderThatIsRefusedOnALaterConnectionIsRemovedAtTheEnd() {
        waitLive(exclusive(0), exclusive(1), exclusive(2));
        servers.fire(QUEUE, TreeEvent.MISSED, "");
        servers.answer(WATCH_TREE, Outcome.REFUSED, null);

        watch.end();

        assertThat(servers.watchedTrees()).isEmpty();
    }

    @Test
    void seatThatWasLeftWhileItBecameAReadersIsNoDifference() {
        waitLive(write(0), write(1), write(2));
        fire(TreeEvent.CREATED, write(0).asReader());
        fire(TreeEvent.DELETED, write(0));
        watch.leave(write(0));

        watch.look();
        listed(write(0).asReader(), write(1), write(2));

        assertThat(watch.isLive()).isTrue();
        assertThat(watch.view().seats()).containsExactly(write(1), write(2));
    }

    @Test
    void writerThatGoesBeforeTheViewIsLiveMayHaveBecomeAReader() {
        armTree(write(0), write(1));

        fire(TreeEvent.DELETED, write(0));

        assertThat(watch.view().holds(write(1))).isFalse();
        assertThat(watch.places(write(1))).isFalse();
    }

    @Test
    void writerThatGoesBeforeTheWatchIsRefusedHasTheQueueListed() {
        armTree(write(0), write(1));
        listed(write(0), write(1));
        fire(TreeEvent.DELETED, write(0));

        servers.answer(WATCH_TREE, Outcome.REFUSED, null);

        assertThat(servers.sent()).containsExactly("unwatchTree " + QUEUE, LIST);
    }

    @Test
    void watchesOfSeatsInFrontThatNobodyNeedsAreNotKeptOverALostConnection() {
        waitWithFronts(exclusive(1), exclusive(0), exclusive(1));
        watch.connectionLost();
        watch.follow(null, false);
        watch.connectionRestored();
        servers.sent();

        look(exclusive(0), exclusive(2));
        watch.follow(exclusive(2), false);

        assertThat(servers.sent()).containsExactly(readOf(exclusive(0)));
    }

    @Test
    void watchesOfSeatsInFrontAreSetAgainAlthoughTheFolderWasToBeWatchedWhenTheConnectionReturned() {
        waitWithFronts(exclusive(1), exclusive(0), exclusive(1));
        watch.connectionLost();
        watch.follow(exclusive(1), true);
        watch.connectionRestored();
        watch.follow(exclusive(1), false);
        watch.tick();
        watch.tick();
        servers.sent();

        listed(exclusive(0), exclusive(1));
        watch.follow(exclusive(1), false);

        assertThat(servers.sent()).containsExactly(readOf(exclusive(0)));
    }

    @Test
    void queueIsListedEachSessionTimeoutWhileArrivalsMatter() {
        look(exclusive(0));
        watch.follow(null, true);
        servers.answer(WATCH_TREE, Outcome.OK, null);
        listed(exclusive(0));
        time.advance(session.timeoutNanos());
        servers.sent();

        watch.tick();

        assertThat(servers.sent()).containsExactly(LIST);
    }

    /** Has the queue listed. */
    private void look(SeatName... seats) {
        watch.look();
        listed(seats);
        told();
        servers.sent();
    }

    /** One seat waits, and the seats in front of it are watched. */
    private void waitWithFronts(SeatName own, SeatName... seats) {
        look(seats);
        watch.follow(own, false);
        for (String path : servers.watched()) {
            servers.answer("readWatching " + path, Outcome.OK, new Node(path, 7, 1, new byte[0], 0));
        }
        told();
        servers.sent();
    }

    /** The second of these and one more seat of this process wait, and the watch of the folder is asked for. */
    private void armTree(SeatName... seats) {
        look(seats);
        watch.follow(seats[1], true);
        servers.sent();
    }

    private void waitLive(SeatName... seats) {
        armTree(seats);
        servers.answer(WATCH_TREE, Outcome.OK, null);
        listed(seats);
        assertThat(watch.isLive()).isTrue();
        told();
    }

    private void listed(SeatName... seats) {
        servers.answer(LIST, Outcome.OK, Stream.of(seats).map(SeatName::node).toList());
    }

    private void fire(TreeEvent event, SeatName seat) {
        servers.fire(QUEUE, event, path(seat));
    }

    private void fireDeleted(SeatName seat) {
        servers.fire(path(seat), Event.NODE_DELETED);
    }

    private void fireStrange(int count) {
        for (int i = 0; i < count; i++) {
            servers.fire(QUEUE, TreeEvent.CREATED, QUEUE + "/nested/child");
        }
    }

    /** What the owner was told since the last call. */
    private List<String> told() {
        List<String> all = List.copyOf(told);
        told.clear();
        return all;
    }

    private QueueWatch.Owner owner() {
        return new QueueWatch.Owner() {
            @Override
            public void viewChanged() {
                told.add("view changed");
                whenViewChanges.run();
            }

            @Override
            public void listed(int number) {
                told.add("listed " + number);
            }

            @Override
            public boolean isOwn(SeatName seat) {
                return own.contains(seat);
            }

            @Override
            public boolean isOwn(String id) {
                return own.stream().anyMatch(seat -> seat.id().equals(id));
            }

            @Override
            public void appeared(SeatName seat) {
                appeared.add(seat);
            }

            @Override
            public void deleted(SeatName seat) {
                told.add("deleted " + seat.node());
            }

            @Override
            public void unreadable(Outcome why, String path) {
                told.add("unreadable " + why + " " + path);
            }
        };
    }

    private static String path(SeatName seat) {
        return seat.pathIn(QUEUE);
    }

    private static String readOf(SeatName seat) {
        return "readWatching " + path(seat);
    }

    private static SeatName exclusive(long number) {
        return seat(1, Demand.EXCLUSIVE, number);
    }

    private static SeatName exclusive(long id, long number) {
        return seat(1, id, Demand.EXCLUSIVE, number);
    }

    private static SeatName read(long number) {
        return seat(2, Demand.READ, number);
    }

    private static SeatName write(long number) {
        return seat(3, Demand.WRITE, number);
    }

    private static SeatName permits(int permits, int of, long number) {
        return seat(4, Demand.permits(permits, of), number);
    }

    private static SeatName seat(long maker, Demand demand, long number) {
        return seat(maker, number, demand, number);
    }

    private static SeatName seat(long maker, long id, Demand demand, long number) {
        String stem = SeatName.stem(new UUID(maker, id).toString(), demand);
        return SeatName.parse("%s%010d".formatted(stem, number)).orElseThrow();
    }
}
