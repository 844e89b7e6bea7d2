package io.github.zklock.zookeeper.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.zookeeper.internal.transport.WireSession.Listing;
import io.github.zklock.zookeeper.internal.transport.WireSession.Transacted;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupCommitTest {

    private static final byte[] DATA = {};
    private static final int WINDOW = 4;
    private static final String MARKER = "/locks/_session-abc";

    private final RecordedSession servers = new RecordedSession();
    private final AtomicLong clock = new AtomicLong();
    private final GroupCommit session =
            new GroupCommit(servers, "/locks", clock::get, new CommitWindow(WINDOW, WINDOW));
    private final List<String> answers = new ArrayList<>();
    /** As the seats were told that share a transaction. */
    private final List<Integer> places = new ArrayList<>();

    /** As many as may be under way at first, each alone. */
    @BeforeEach
    void fillTheWindow() {
        for (int i = 0; i < WINDOW; i++) {
            create("/locks/full/");
        }
        assertThat(servers.sent()).hasSize(WINDOW);
    }

    @Test
    void aWriteWithRoomLeavesAtOnceAndAlone() {
        landOne();

        delete("/locks/a/1");

        assertThat(servers.sent()).containsExactly("Delete /locks/a/1");
    }

    @Test
    void writesThatWaitLeaveTogetherWithTheirListingsBehind() {
        seen("/locks/a", "/locks/b");
        create("/locks/a/x-");
        list("/locks/a");
        delete("/locks/c/1");
        create("/locks/b/x-");
        list("/locks/b");
        assertThat(servers.sent()).isEmpty();

        landOne();

        assertThat(servers.sent())
                .containsExactly(
                        "CreateEphemeral " + MARKER
                                + ", CreateSeat /locks/a/x-, Delete /locks/c/1, CreateSeat /locks/b/x-," + " Write "
                                + MARKER,
                        "listAll [/locks/a, /locks/b]");
        servers.created(MARKER, "/locks/a/x-0", "/locks/b/x-5");
        servers.answer(
                "listAll",
                Outcome.OK,
                List.of(new Listing(Outcome.OK, List.of("x-0")), new Listing(Outcome.NO_NODE, null)));
        assertThat(answers)
                .containsExactly(
                        "create OK /locks/a/x-0",
                        "delete OK",
                        "create OK /locks/b/x-5",
                        "list OK [x-0]",
                        "list NO_NODE null");
    }

    @Test
    void aSeatThatIsGivenUpWhileItWaitsIsNotCreated() {
        seen("/locks/a", "/locks/b");
        boolean[] wanted = {true};
        createWanted("/locks/a/x-", () -> wanted[0]);
        list("/locks/a");
        create("/locks/b/x-");
        wanted[0] = false;

        landOne();

        assertThat(servers.sent()).containsExactly("CreateSeat /locks/b/x-", "list /locks/a");
        assertThat(answers).containsExactly("create NOT_SENT");
    }

    @Test
    void manySeatsThatAreGivenUpDoNotHoldUpAnother() {
        seen("/locks/a");
        boolean[] wanted = {true};
        for (int i = 0; i < 1_000; i++) {
            createWanted("/locks/a/x-", () -> wanted[0]);
        }
        create("/locks/a/y-");
        wanted[0] = false;

        landOne();

        assertThat(servers.sent()).containsExactly("CreateSeat /locks/a/y-");
        assertThat(answers).hasSize(1_000).containsOnly("create NOT_SENT");
    }

    @Test
    void longAccessListsAreNotSentInOneTransaction() {
        seen("/locks/a", "/locks/b", "/locks/c");
        servers.accessBytes = 30_000;

        create("/locks/a/x-");
        create("/locks/b/x-");
        create("/locks/c/x-");
        landOne();

        assertThat(servers.sent())
                .singleElement()
                .asString()
                .contains("/locks/a/x-", "/locks/b/x-")
                .doesNotContain("/locks/c/x-");
    }

    @Test
    void theMarkerIsCreatedOnce() {
        seen("/locks/a", "/locks/b");
        sendTwoSeats();
        assertThat(servers.sent()).singleElement().asString().startsWith("CreateEphemeral " + MARKER);

        sendTwoSeats();

        assertThat(servers.sent()).containsExactly("CreateSeat /locks/a/x-, CreateSeat /locks/b/x-, Write " + MARKER);
    }

    @Test
    void aMarkerThatSomebodyDeletedIsCreatedAnew() {
        seen("/locks/a", "/locks/b");
        sendTwoSeats();
        servers.created(MARKER, "/locks/a/x-0", "/locks/b/x-0");
        create("/locks/full/");
        sendTwoSeats();
        servers.answer(MARKER, Outcome.NO_NODE, Transacted.failed(2));
        seen("/locks/a", "/locks/b");

        sendTwoSeats();

        assertThat(servers.sent()).singleElement().asString().startsWith("CreateEphemeral " + MARKER);
    }

    @Test
    void aMarkerThatExistsServesAsWell() {
        seen("/locks/a", "/locks/b");
        sendTwoSeats();
        servers.answer(MARKER, Outcome.NODE_EXISTS, Transacted.failed(0));
        seen("/locks/a", "/locks/b");

        sendTwoSeats();

        assertThat(servers.sent())
                .singleElement()
                .asString()
                .startsWith("CreateSeat")
                .endsWith("Write " + MARKER);
    }

    @Test
    void withoutTheRightToCreateTheMarkerSeatsAreCreatedOneByOne() {
        seen("/locks/a", "/locks/b");
        sendTwoSeats();
        servers.sent();
        servers.answer(MARKER, Outcome.ACCESS_DENIED, Transacted.failed(0));
        assertThat(servers.sent()).containsExactly("CreateSeat /locks/a/x-", "CreateSeat /locks/b/x-");
        seen("/locks/a", "/locks/b");

        sendTwoSeats();

        assertThat(servers.sent()).containsExactly("CreateSeat /locks/a/x-");
    }

    @Test
    void twoSeatsOfOneLockDoNotShareATransaction() {
        seen("/locks/a", "/locks/b");
        create("/locks/b/x-");
        create("/locks/a/x-");
        create("/locks/a/y-");

        landOne();

        assertThat(servers.sent())
                .singleElement()
                .asString()
                .contains("/locks/b/x-", "/locks/a/x-")
                .doesNotContain("/locks/a/y-");
    }

    @Test
    void seatsOfOneLockThatAreToldTheirPlaceShareATransaction() {
        seen("/locks/a");
        createSharing("/locks/a/x-", false);
        createSharing("/locks/a/y-", false);
        create("/locks/a/z-");

        landOne();

        assertThat(servers.sent())
                .singleElement()
                .asString()
                .contains("CreateSeat /locks/a/x-", "CreateSeat /locks/a/y-")
                .doesNotContain("/locks/a/z-");
        assertThat(places).containsExactly(0, 1);
        places.clear();
        servers.answer("CreateEphemeral", Outcome.REFUSED, null);
        assertThat(servers.sent()).contains("CreateSeat /locks/a/x-", "CreateSeat /locks/a/y-");
        assertThat(places).containsExactly(0, 0);
    }

    @Test
    void aSeatThatSharesIsNotCreatedBehindOneThatDoesNot() {
        seen("/locks/a");
        create("/locks/a/x-");
        createSharing("/locks/a/y-", false);
        delete("/locks/c/1");

        landOne();

        assertThat(servers.sent()).containsExactly("CreateSeat /locks/a/x-");
    }

    @Test
    void aSeatThatCanWaitLeavesWithTheNextWriteOrWhenThoseBeforeItAreAnswered() {
        seen("/locks/a");
        servers.answerAll();
        servers.sent();
        delete("/locks/a/1");
        assertThat(servers.sent()).containsExactly("Delete /locks/a/1");
        createSharing("/locks/a/x-", true);
        assertThat(servers.sent()).isEmpty();

        delete("/locks/a/2");
        assertThat(servers.sent()).singleElement().asString().contains("CreateSeat /locks/a/x-, Delete /locks/a/2");
        createSharing("/locks/a/y-", true);
        servers.answer("Delete /locks/a/1", Outcome.OK, Transacted.created(List.of()));
        assertThat(servers.sent()).isEmpty();

        servers.created("CreateSeat /locks/a/x-, Delete", "/locks/a/x-0");
        assertThat(servers.sent()).containsExactly("CreateSeat /locks/a/y-");
    }

    @Test
    void deletionsThatCanWaitLeaveTogetherWhenTheWritesOfTheirFolderAreAnswered() {
        servers.answerAll();
        servers.sent();
        deleteOneOfARow("/locks/a/1");
        assertThat(servers.sent()).containsExactly("Delete /locks/a/1");
        deleteOneOfARow("/locks/a/2");
        deleteOneOfARow("/locks/a/3");
        assertThat(servers.sent()).isEmpty();

        servers.answer("Delete /locks/a/1", Outcome.OK, Transacted.created(List.of()));

        assertThat(servers.sent()).containsExactly("Delete /locks/a/2, Delete /locks/a/3");
    }

    @Test
    void aDeletionThatCanWaitLeavesAtTheNextTickAlthoughNoAnswerArrives() {
        servers.answerAll();
        deleteOneOfARow("/locks/a/1");
        deleteOneOfARow("/locks/a/2");
        deleteOneOfARow("/locks/a/3");
        servers.sent();

        session.tick();

        assertThat(servers.sent()).containsExactly("Delete /locks/a/2, Delete /locks/a/3");
    }

    @Test
    void aDeletionThatCanWaitForNothingTakesThoseAlongThatWait() {
        servers.answerAll();
        delete("/locks/a/1");
        deleteOneOfARow("/locks/a/2");
        servers.sent();

        deleteOneOfARow("/locks/b/1");

        assertThat(servers.sent()).containsExactly("Delete /locks/a/2, Delete /locks/b/1");
    }

    @Test
    void aDeletionThatWasTakenAlongDoesNotCountAnyMore() {
        aDeletionThatCanWaitForNothingTakesThoseAlongThatWait();

        deleteOneOfARow("/locks/a/3");

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void aListingTakesTheDeletionsAlongThatWaitBeforeIt() {
        servers.answerAll();
        delete("/locks/a/1");
        deleteOneOfARow("/locks/a/2");
        servers.sent();

        list("/locks/a");

        assertThat(servers.sent()).containsExactly("Delete /locks/a/2", "list /locks/a");
    }

    @Test
    void aDeletionDoesNotWaitForAWriteThatCouldNotBeSent() {
        servers.answerAll();
        servers.refuseToSend("Delete /locks/a/1");
        assertThatIllegalStateException().isThrownBy(() -> delete("/locks/a/1"));
        servers.sent();

        deleteOneOfARow("/locks/a/2");

        assertThat(servers.sent()).containsExactly("Delete /locks/a/2");
    }

    @Test
    void aDeletionDoesNotWaitForATransactionThatCouldNotBeSent() {
        roomOfATransactionThatCannotBeSentIsFreeAgain();
        landOne();

        deleteOneOfARow("/locks/a/2");

        assertThat(servers.sent()).containsExactly("Delete /locks/a/2");
    }

    @Test
    void aDeletionThatNoTransactionHadRoomForDoesNotCountAnyMore() {
        for (int i = 0; i < 129; i++) {
            delete("/locks/a/" + i);
        }
        for (int i = 0; i < WINDOW; i++) {
            landOne();
        }
        assertThat(servers.sent()).last().isEqualTo("Delete /locks/a/128");

        deleteOneOfARow("/locks/a/last");

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void deletionsThatNoTransactionHasRoomForLeaveInTheNextOneAtOnce() {
        servers.answerAll();
        delete("/locks/a/first");
        for (int i = 0; i < 300; i++) {
            deleteOneOfARow("/locks/a/" + i);
        }
        servers.sent();

        servers.answer("Delete /locks/a/first", Outcome.OK, Transacted.created(List.of()));

        assertThat(servers.sent()).extracting(sent -> sent.split(", ").length).containsExactly(128, 128, 44);
    }

    @Test
    void aDeletionDoesNotWaitForTheSeatsBeforeItThatAreCreatedOneByOne() {
        seen("/locks/a", "/locks/b");
        sendTwoSeats();
        servers.answer(MARKER, Outcome.ACCESS_DENIED, Transacted.failed(0));
        servers.answerAll();
        delete("/locks/a/1");
        createSharing("/locks/a/x-", true);
        deleteOneOfARow("/locks/a/2");
        createSharing("/locks/a/y-", true);
        deleteOneOfARow("/locks/a/3");
        servers.sent();

        servers.answer("Delete /locks/a/1", Outcome.OK, Transacted.created(List.of()));

        assertThat(servers.sent())
                .containsExactly(
                        "CreateSeat /locks/a/x-", "Delete /locks/a/2", "CreateSeat /locks/a/y-", "Delete /locks/a/3");
    }

    @Test
    void aDeletionDoesNotWaitForTheSeatBeforeItWhoseFolderIsNotKnown() {
        servers.answerAll();
        delete("/locks/a/1");
        createSharing("/locks/a/x-", true);
        deleteOneOfARow("/locks/a/2");
        servers.sent();

        servers.answer("Delete /locks/a/1", Outcome.OK, Transacted.created(List.of()));

        assertThat(servers.sent()).containsExactly("CreateSeat /locks/a/x-", "Delete /locks/a/2");
    }

    @Test
    void aDeletionDoesNotWaitForTheRepetitionOfAFailedTransaction() {
        delete("/locks/a/1");
        delete("/locks/gone/1");
        landOne();
        landOne();
        landOne();
        landOne();
        deleteOneOfARow("/locks/a/2");
        servers.sent();

        servers.answer("Delete", Outcome.NO_NODE, Transacted.failed(1));

        assertThat(servers.sent()).containsExactly("Delete /locks/a/1", "Delete /locks/gone/1", "Delete /locks/a/2");
    }

    @Test
    void aSeatThatCanWaitForNothingLeavesAtOnce() {
        servers.answerAll();
        delete("/locks/b/1");
        servers.sent();

        createSharing("/locks/a/x-", true);

        assertThat(servers.sent()).containsExactly("CreateSeat /locks/a/x-");
    }

    @Test
    void whatIsAskedForTogetherLeavesTogetherAlthoughThereIsRoom() {
        seen("/locks/a", "/locks/b");
        servers.answerAll();
        servers.sent();

        session.together(() -> {
            create("/locks/a/x-");
            list("/locks/a");
            create("/locks/b/x-");
            list("/locks/b");
            assertThat(servers.sent()).isEmpty();
        });

        assertThat(servers.sent())
                .containsExactly(
                        "CreateEphemeral " + MARKER + ", CreateSeat /locks/a/x-, CreateSeat /locks/b/x-, Write "
                                + MARKER,
                        "listAll [/locks/a, /locks/b]");
    }

    @Test
    void theFailureOfAStrangerDelaysAndDoesNotDecide() {
        seen("/locks/a");
        delete("/locks/gone/1");
        create("/locks/a/x-");
        list("/locks/a");
        landOne();
        servers.sent();

        servers.answer(MARKER, Outcome.NO_NODE, Transacted.failed(1));

        assertThat(servers.sent()).containsExactly("Delete /locks/gone/1", "CreateSeat /locks/a/x-", "list /locks/a");
        // of the one that was sent behind the transaction
        servers.answer("listAll", Outcome.OK, List.of(new Listing(Outcome.OK, List.of())));
        servers.answer("Delete", Outcome.NO_NODE, Transacted.failed(0));
        servers.created("/locks/a/x-", "/locks/a/x-3");
        servers.answer("list ", Outcome.OK, List.of("x-3"));
        assertThat(answers).containsExactly("delete NO_NODE", "create OK /locks/a/x-3", "list OK [x-3]");
    }

    /** Sends a transaction that creates a seat and may fail, then requests another seat and a listing of the same folder. */
    private void createBehindATransaction() {
        seen("/locks/a", "/locks/b");
        delete("/locks/gone/1");
        createSharing("/locks/a/x-", false);
        landOne();
        assertThat(servers.sent()).singleElement().asString().contains("CreateSeat /locks/a/x-");
        landOne();
        landOne();
        createSharing("/locks/a/y-", false);
        list("/locks/a");
    }

    @Test
    void aSeatIsNotCreatedBeforeOneWhoseTransactionFails() {
        createBehindATransaction();
        assertThat(servers.sent()).isEmpty();

        servers.answer(MARKER, Outcome.NO_NODE, Transacted.failed(1));

        assertThat(servers.sent().stream().filter(sent -> !sent.startsWith("exist")))
                .containsExactly(
                        "Delete /locks/gone/1", "CreateSeat /locks/a/x-", "CreateSeat /locks/a/y-", "list /locks/a");
    }

    @Test
    void aSeatInAnotherFolderDoesNotWaitForATransaction() {
        createBehindATransaction();

        createSharing("/locks/b/y-", false);

        assertThat(servers.sent()).containsExactly("CreateSeat /locks/b/y-");
    }

    @Test
    void aSeatFollowsOneWhoseTransactionSucceeds() {
        createBehindATransaction();
        createSharing("/locks/a/z-", false);

        servers.created(MARKER, "/locks/a/x-0");

        assertThat(servers.sent())
                .containsExactly(
                        "CreateSeat /locks/a/y-, CreateSeat /locks/a/z-, Write " + MARKER, "listAll [/locks/a]");
    }

    @Test
    void aSeatThatWasHeldBackIsCreatedBeforeOneThatWaits() {
        createBehindATransaction();
        for (int i = 0; i < WINDOW; i++) {
            delete("/locks/other/" + i);
        }
        servers.sent();
        createSharing("/locks/a/z-", false);
        list("/locks/a");
        createSharing("/locks/a/zz-", false);

        servers.created(MARKER, "/locks/a/x-0");
        landOne();

        assertThat(servers.sent())
                .filteredOn(sent -> sent.contains("/locks/a/"))
                .singleElement()
                .asString()
                .containsSubsequence("/locks/a/y-", "/locks/a/z-", "/locks/a/zz-");
    }

    @Test
    void aSeatBehindATransactionOfUnknownOutcomeIsHeldBack() {
        createBehindATransaction();

        servers.answer(MARKER, Outcome.CONNECTION_LOST, null);

        assertThat(answers).containsExactly("delete CONNECTION_LOST", "create CONNECTION_LOST", "create HELD_BACK");
        assertThat(servers.sent()).containsExactly("list /locks/a");
    }

    @Test
    void aSeatBehindATransactionIsNotSentOnAnotherSession() {
        createBehindATransaction();

        servers.replaceSession();
        landOne();

        assertThat(servers.sent()).isEmpty();
        assertThat(answers).containsExactly("create SESSION_ENDED", "list SESSION_ENDED null");
    }

    @Test
    void seatsThatNeedNoOrderDoNotWaitForATransaction() {
        seen("/locks/a");
        delete("/locks/gone/1");
        create("/locks/a/x-");
        landOne();
        servers.sent();
        landOne();

        create("/locks/a/y-");

        assertThat(servers.sent()).containsExactly("CreateSeat /locks/a/y-");
    }

    @Test
    void anUnknownOutcomeIsThatOfEachWrite() {
        seen("/locks/a");
        delete("/locks/b/1");
        create("/locks/a/x-");
        list("/locks/a");
        landOne();

        servers.answer(MARKER, Outcome.CONNECTION_LOST, null);
        servers.answer("listAll", Outcome.CONNECTION_LOST, null);

        assertThat(answers)
                .containsExactly("delete CONNECTION_LOST", "create CONNECTION_LOST", "list CONNECTION_LOST null");
    }

    @Test
    void aListingBehindATransactionUnderWayIsSentAgainIfThatFails() {
        delete("/locks/gone/1");
        delete("/locks/a/1");
        landOne();
        servers.sent();
        list("/locks/a");
        assertThat(servers.sent()).containsExactly("list /locks/a");

        servers.answer("Delete", Outcome.NO_NODE, Transacted.failed(0));
        servers.answer("list /locks/a", Outcome.OK, List.of("1"));

        assertThat(servers.sent()).containsExactly("Delete /locks/gone/1", "Delete /locks/a/1", "list /locks/a");
        assertThat(answers).isEmpty();
        servers.answer("list /locks/a", Outcome.OK, List.of());
        assertThat(answers).containsExactly("list OK []");
    }

    @Test
    void aListingBehindATransactionThatSucceededIsSentOnce() {
        delete("/locks/b/1");
        delete("/locks/a/1");
        landOne();
        list("/locks/a");
        servers.answer("Delete", Outcome.OK, Transacted.created(List.of()));
        servers.answer("list /locks/a", Outcome.OK, List.of());
        servers.sent();

        list("/locks/a");

        assertThat(servers.sent()).containsExactly("list /locks/a");
        assertThat(answers).containsExactly("delete OK", "delete OK", "list OK []");
    }

    @Test
    void whatWasNotAnsweredInTimeIsNotSentAgain() {
        delete("/locks/b/1");
        delete("/locks/c/1");
        landOne();
        servers.sent();

        servers.answer("Delete", Outcome.UNKNOWN, null);

        assertThat(servers.sent()).isEmpty();
        assertThat(answers).containsExactly("delete UNKNOWN", "delete UNKNOWN");
    }

    @Test
    void afterAFailureTheFoldersAreAskedForAgain() {
        seen("/locks/a", "/locks/b");
        sendTwoSeats();
        servers.answer(MARKER, Outcome.NO_NODE, Transacted.failed(1));
        servers.answer("CreateSeat /locks/a", Outcome.NO_NODE, Transacted.failed(0));
        servers.answer("CreateSeat /locks/b", Outcome.NO_NODE, Transacted.failed(0));
        create("/locks/full/");
        create("/locks/full/");
        servers.sent();

        create("/locks/a/x-");

        assertThat(servers.sent()).containsExactly("exist [/locks/a]");
    }

    @Test
    void afterAFailedTransactionItIsNotKnownWhetherItsFoldersExist() {
        seen("/locks/a", "/locks/b");
        sendTwoSeats();
        servers.answer(MARKER, Outcome.NO_NODE, Transacted.failed(1));
        servers.sent();

        create("/locks/a/y-");

        assertThat(servers.sent()).containsExactly("exist [/locks/a]");
    }

    @Test
    void aTransactionThatCouldNotBeSentHasCreatedNoMarker() {
        seen("/locks/a", "/locks/b");
        servers.refuseToSend(MARKER);
        sendTwoSeats();
        assertThat(servers.sent()).containsExactly("CreateSeat /locks/a/x-", "CreateSeat /locks/b/x-");
        servers.refuseToSend(null);
        seen("/locks/a", "/locks/b");

        sendTwoSeats();

        assertThat(servers.sent()).singleElement().asString().startsWith("CreateEphemeral " + MARKER);
    }

    @Test
    void aWriteThatCannotBeSentAfterAFailedTransactionIsAnswered() {
        delete("/locks/a/1");
        delete("/locks/b/1");
        landOne();
        servers.sent();
        servers.refuseToSend("Delete /locks/b/1");

        servers.answer("Delete /locks/a/1, ", Outcome.NO_NODE, Transacted.failed(0));

        assertThat(servers.sent()).containsExactly("Delete /locks/a/1");
        assertThat(answers).containsExactly("delete NOT_SENT");
    }

    @Test
    void aWriteThatWaitedAndCannotBeSentIsAnswered() {
        delete("/locks/a/1");
        servers.refuseToSend("Delete /locks/a/1");

        landOne();

        assertThat(answers).containsExactly("delete NOT_SENT");
    }

    @Test
    void aListingThatCannotBeSentIsAnswered() {
        delete("/locks/a/1");
        list("/locks/a");
        servers.refuseToSend("list ");

        landOne();

        assertThat(answers).containsExactly("list NOT_SENT null");
    }

    @Test
    void aListingBehindATransactionThatCannotBeSentIsAnsweredOnce() {
        delete("/locks/a/1");
        delete("/locks/b/1");
        landOne();
        servers.refuseToSend("list ");
        list("/locks/a");
        assertThat(answers).containsExactly("list NOT_SENT null");
        servers.refuseToSend(null);
        servers.sent();

        servers.answer("Delete /locks/a/1, ", Outcome.NO_NODE, Transacted.failed(0));

        assertThat(servers.sent()).containsExactly("Delete /locks/a/1", "Delete /locks/b/1");
    }

    @Test
    void listingsThatCannotBeSentTogetherAreSentOneByOne() {
        deleteAndList();
        servers.refuseToSend("listAll");

        landOne();

        assertThat(servers.sent())
                .containsExactly("Delete /locks/a/1, Delete /locks/b/1", "list /locks/a", "list /locks/b");
    }

    @Test
    void roomOfAWriteThatCannotBeSentIsFreeAgain() {
        landOne();
        servers.refuseToSend("Delete /locks/a/1");
        assertThatIllegalStateException().isThrownBy(() -> delete("/locks/a/1"));

        delete("/locks/b/1");

        assertThat(servers.sent()).containsExactly("Delete /locks/b/1");
    }

    @Test
    void roomOfATransactionThatCannotBeSentIsFreeAgain() {
        delete("/locks/a/1");
        delete("/locks/b/1");
        servers.refuseToSend("Delete /locks/a/1, ");
        landOne();
        assertThat(servers.sent()).containsExactly("Delete /locks/a/1", "Delete /locks/b/1");
        servers.answer("Delete", Outcome.OK, Transacted.created(List.of()));
        servers.answer("Delete", Outcome.OK, Transacted.created(List.of()));

        delete("/locks/c/1");

        assertThat(servers.sent()).containsExactly("Delete /locks/c/1");
    }

    @Test
    void whatWaitsLeavesAfterAnUnknownOutcome() {
        delete("/locks/a/1");

        servers.answer("/locks/full/", Outcome.UNKNOWN, null);

        assertThat(servers.sent()).containsExactly("Delete /locks/a/1");
    }

    @Test
    void foldersThatCameMeanwhileAreAskedForNext() {
        create("/locks/a/x-");
        create("/locks/b/x-");
        assertThat(servers.sent()).containsExactly("exist [/locks/a]");

        servers.answer("exist", Outcome.OK, List.of(true));

        assertThat(servers.sent()).containsExactly("exist [/locks/b]");
    }

    @Test
    void foldersAreAskedForAgainIfTheQuestionCannotBeSent() {
        servers.refuseToSend("exist");
        create("/locks/a/x-");
        servers.refuseToSend(null);

        create("/locks/b/x-");

        assertThat(servers.sent()).containsExactly("exist [/locks/b]");
    }

    @Test
    void whatWaitsIsNotSentOnAnotherSession() {
        delete("/locks/b/1");
        list("/locks/b");

        servers.replaceSession();
        landOne();

        assertThat(servers.sent()).isEmpty();
        assertThat(answers).containsExactly("delete SESSION_ENDED", "list SESSION_ENDED null");
    }

    @Test
    void aCreateIsNotSentBehindOneThatMayHaveBeenLost() {
        seen("/locks/a", "/locks/b");
        create("/locks/a/x-");
        landOne();
        create("/locks/a/y-");
        create("/locks/b/y-");
        servers.sent();

        servers.answer("CreateSeat /locks/a/x-", Outcome.CONNECTION_LOST, null);

        assertThat(servers.sent()).singleElement().asString().isEqualTo("CreateSeat /locks/b/y-");
        assertThat(answers).containsExactly("create CONNECTION_LOST", "create HELD_BACK");
    }

    @Test
    void aListingBehindATransactionAnswersAllRequestsForIt() {
        seen("/locks/a");
        delete("/locks/a/1");
        list("/locks/a");
        delete("/locks/a/2");
        list("/locks/a");

        landOne();

        assertThat(servers.sent()).containsExactly("Delete /locks/a/1, Delete /locks/a/2", "listAll [/locks/a]");
        servers.answer("Delete", Outcome.OK, Transacted.created(List.of()));
        servers.answer("listAll", Outcome.OK, List.of(new Listing(Outcome.OK, List.of("x-3"))));
        assertThat(answers).containsExactly("delete OK", "delete OK", "list OK [x-3]", "list OK [x-3]");
    }

    @Test
    void aFolderWithALongListingIsListedAlone() {
        String longName = "a".repeat(20_000);
        list("/locks/a");
        servers.answer("list /locks/a", Outcome.OK, List.of(longName));
        seen("/locks/c");
        delete("/locks/a/1");
        list("/locks/a");
        delete("/locks/b/1");
        list("/locks/b");

        landOne();

        assertThat(servers.sent())
                .containsExactly("Delete /locks/a/1, Delete /locks/b/1", "list /locks/a", "listAll [/locks/b]");
    }

    @Test
    void foldersThatWereListedTogetherWhenTheConnectionBrokeAreListedAlone() {
        seen("/locks/c");
        deleteAndList();
        landOne();
        servers.answer("Delete", Outcome.CONNECTION_LOST, null);
        servers.answer("listAll", Outcome.CONNECTION_LOST, null);
        create("/locks/full/");
        servers.sent();
        deleteAndList();

        landOne();

        assertThat(servers.sent())
                .containsExactly("Delete /locks/a/1, Delete /locks/b/1", "list /locks/a", "list /locks/b");
    }

    @Test
    void aListingThatWentAloneBehindAFailedTransactionDoesNotCount() {
        foldersThatWereListedTogetherWhenTheConnectionBrokeAreListedAlone();
        answers.clear();

        servers.answer("Delete", Outcome.NO_NODE, Transacted.failed(0));
        servers.answer("list /locks/a", Outcome.OK, List.of("old"));
        servers.answer("list /locks/b", Outcome.OK, List.of("old"));
        assertThat(answers).isEmpty();
        servers.answer("list /locks/a", Outcome.OK, List.of("new"));

        assertThat(answers).containsExactly("list OK [new]");
    }

    @Test
    void theMarkerIsRemovedWhenTheSessionIsLeft() {
        session.leave();
        assertThat(servers.sent()).isEmpty();
        seen("/locks/a", "/locks/b");
        sendTwoSeats();
        servers.sent();

        session.leave();

        assertThat(servers.sent()).containsExactly("Delete " + MARKER);
    }

    @Test
    void theFolderOfASeatThatWaitsIsAskedForAndCreatedIfItIsMissing() {
        delete("/locks/b/1");
        create("/locks/new/x-");
        assertThat(servers.sent()).containsExactly("exist [/locks/new]");
        servers.answer("exist", Outcome.OK, List.of(false));

        landOne();

        assertThat(servers.sent())
                .containsExactly(
                        "CreateEphemeral " + MARKER + ", CreateFolder /locks/new, Delete /locks/b/1, CreateSeat"
                                + " /locks/new/x-, Write " + MARKER);
    }

    @Test
    void aSeatWhoseFolderIsNotKnownYetIsCreatedAlone() {
        delete("/locks/b/1");
        create("/locks/new/x-");
        servers.sent();

        landOne();

        assertThat(servers.sent()).containsExactly("Delete /locks/b/1");
        landOne();
        assertThat(servers.sent()).containsExactly("CreateSeat /locks/new/x-");
    }

    @Test
    void aListingDoesNotWaitForTheWritesInOtherFolders() {
        delete("/locks/a/1");
        list("/locks/b");

        assertThat(servers.sent()).containsExactly("list /locks/b");
    }

    @Test
    void aListingWaitsForTheDeletesInItsFolder() {
        delete("/locks/a/1");
        list("/locks/a");
        assertThat(servers.sent()).isEmpty();

        landOne();

        assertThat(servers.sent()).containsExactly("Delete /locks/a/1", "list /locks/a");
    }

    @Test
    void aListingWaitsForAllTheWritesInItsFolder() {
        seen("/locks/a");
        create("/locks/a/x-");
        create("/locks/a/y-");
        landOne();
        assertThat(servers.sent()).containsExactly("CreateSeat /locks/a/x-");

        list("/locks/a");
        assertThat(servers.sent()).isEmpty();
        landOne();

        assertThat(servers.sent()).containsExactly("CreateSeat /locks/a/y-", "list /locks/a");
    }

    @Test
    void aListingWaitsForTheCreatesInItsFolder() {
        seen("/locks/a");
        delete("/locks/b/1");
        create("/locks/a/x-");
        list("/locks/a");
        assertThat(servers.sent()).isEmpty();

        landOne();

        assertThat(servers.sent()).hasSize(2).last().isEqualTo("listAll [/locks/a]");
        list("/locks/a");
        assertThat(servers.sent()).containsExactly("list /locks/a");
    }

    @Test
    void aTransactionHasSoManyBytesAtMost() {
        String longName = "a".repeat(30_000);
        delete("/locks/1" + longName);
        delete("/locks/2" + longName);
        delete("/locks/3" + longName);

        landOne();

        assertThat(servers.sent())
                .singleElement()
                .asString()
                .contains("/locks/1", "/locks/2")
                .doesNotContain("/locks/3");
    }

    /** Has seats created in these folders, so that it is known that they exist. Nothing is under way but what fills the window. */
    private void seen(String... folders) {
        servers.answerAll();
        for (String folder : folders) {
            create(folder + "/first-");
            servers.answerAll();
        }
        servers.sent();
        fillTheWindow();
        answers.clear();
    }

    private void deleteAndList() {
        delete("/locks/a/1");
        list("/locks/a");
        delete("/locks/b/1");
        list("/locks/b");
    }

    private void sendTwoSeats() {
        create("/locks/a/x-");
        create("/locks/b/x-");
        landOne();
    }

    /** Of those that fill the window. */
    private void landOne() {
        servers.created("/locks/full/", "/locks/full/0");
    }

    private void create(String path) {
        session.create(RecordedSession.createSeat(path), (outcome, node) -> {
            if (!path.startsWith("/locks/full/")) {
                answers.add("create " + outcome + (node == null ? "" : " " + node.path()));
            }
        });
    }

    private void createWanted(String path, BooleanSupplier wanted) {
        session.create(
                new Change.CreateSeat(path, DATA, null, false, wanted),
                (outcome, node) -> answers.add("create " + outcome + (node == null ? "" : " " + node.path())));
    }

    private void createSharing(String path, boolean canWait) {
        session.create(
                new Change.CreateSeat(path, DATA, places::add, canWait, () -> true),
                (outcome, node) -> answers.add("create " + outcome + (node == null ? "" : " " + node.path())));
    }

    private void delete(String path) {
        session.delete(new Change.Delete(path), (outcome, none) -> answers.add("delete " + outcome));
    }

    private void deleteOneOfARow(String path) {
        session.delete(
                new Change.Delete(path, Change.ANY_VERSION, true), (outcome, none) -> answers.add("delete " + outcome));
    }

    private void list(String folder) {
        session.list(folder, (outcome, children) -> answers.add("list " + outcome + " " + children));
    }
}
