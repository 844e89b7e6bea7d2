package io.github.zklock.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.Transacted;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The nodes in memory behave like those of ZooKeeper. */
class MemoryTreeTest {

    private static final byte[] DATA = {1};
    private static final long SESSION = 7;

    private final List<String> told = new ArrayList<>();
    private final MemoryTree tree = new MemoryTree(
            new MemoryTree.Observer() {
                @Override
                public void node(String path, Event event) {
                    told.add(event + " " + path);
                }

                @Override
                public void tree(String path, TreeEvent event) {
                    told.add(event + " " + path);
                }
            },
            () -> 0);

    private Outcome outcome = Outcome.UNKNOWN;
    private Transacted transacted = Transacted.failed(-1);

    @Test
    void seatsOfOneTransactionHaveItsNumberAndSequencesOfTheirFolders() {
        tree.makeFolder("/locks/a");
        tree.makeFolder("/locks/b");
        transact(seat("/locks/a/s-"));

        transact(seat("/locks/a/s-"), seat("/locks/b/s-"));

        assertThat(outcome).isEqualTo(Outcome.OK);
        assertThat(transacted.seats())
                .extracting(Node::path)
                .containsExactly("/locks/a/s-0000000001", "/locks/b/s-0000000000");
        assertThat(transacted.seats()).extracting(Node::czxid).containsOnly((1L << 32) + 2);
        assertThat(tree.ephemerals(SESSION, "/locks")).hasSize(3);
    }

    @Test
    void transactionWithAChangeThatFailsChangesNothing() {
        tree.makeFolder("/locks/a");
        told.clear();

        transact(seat("/locks/a/s-"), new Change.Delete("/locks/a/missing"), seat("/locks/a/s-"));

        assertThat(outcome).isEqualTo(Outcome.NO_NODE);
        assertThat(transacted.failedAt()).isEqualTo(1);
        assertThat(tree.children("/locks/a")).contains(List.of());
        assertThat(told).isEmpty();
    }

    @Test
    void changeSeesTheChangesBeforeItInItsTransaction() {
        tree.makeFolder("/locks");

        transact(
                new Change.CreateFolder("/locks/a"),
                new Change.CreateEphemeral("/locks/a/node", DATA),
                new Change.Check("/locks/a/node"),
                new Change.Delete("/locks/a/node"),
                new Change.CreateEphemeral("/locks/a/node", DATA));

        assertThat(outcome).isEqualTo(Outcome.OK);
        assertThat(tree.exists("/locks/a/node")).isTrue();
    }

    @Test
    void nodeBelowANodeOfASessionIsRejected() {
        tree.makeFolder("/locks");

        transact(new Change.CreateEphemeral("/locks/node", DATA), seat("/locks/node/s-"));

        assertThat(outcome).isEqualTo(Outcome.NO_NODE);
        assertThat(tree.exists("/locks/node")).isFalse();
    }

    @Test
    void folderThatIsNotEmptyIsNotDeleted() {
        tree.makeFolder("/locks/a");
        transact(seat("/locks/a/s-"));

        transact(new Change.Delete("/locks/a"));

        assertThat(outcome).isEqualTo(Outcome.REFUSED);
        tree.deleteEphemerals(SESSION);
        transact(new Change.Delete("/locks/a"));
        assertThat(outcome).isEqualTo(Outcome.OK);
    }

    @Test
    void emptyFoldersAreRemovedIfThereAreManyAndNotThoseOfTheTransaction() {
        tree.makeFolder("/locks/used");
        for (int i = 0; i < 10_100; i++) {
            tree.makeFolder("/locks/empty-" + i);
        }
        assertThat(tree.children("/locks").orElseThrow())
                .hasSizeLessThan(10_010)
                .doesNotContain("used", "empty-0");
        String oldest = "/locks/"
                + tree.children("/locks").orElseThrow().stream()
                        .min((one, other) -> Integer.compare(numberOf(one), numberOf(other)))
                        .orElseThrow();

        transact(new Change.CreateFolder("/locks/new"), seat("/locks/new/s-"), seat(oldest + "/s-"));

        assertThat(outcome).isEqualTo(Outcome.OK);
        assertThat(transacted.seats()).hasSize(2);
    }

    private static int numberOf(String folder) {
        return Integer.parseInt(folder.substring(folder.indexOf('-') + 1));
    }

    private void transact(Change... changes) {
        tree.transact(SESSION, List.of(changes), (answer, done) -> {
            outcome = answer;
            transacted = done;
        });
    }

    private static Change.CreateSeat seat(String path) {
        return new Change.CreateSeat(path, DATA, null, false, () -> true);
    }
}
