package io.github.zklock.docs.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.docs.picture.CountedOrders.Run;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/** Draws what two instances do to one row. {@code -Dzklock.docs.rewrite=true} replaces the picture of the README. */
class MovingPictureTest {

    private static final Path PICTURE = Path.of("..", "..", "docs", "images", "two-instances.svg");
    private static final int ATTEMPTS = 20;

    @Test
    void countIsWrongWithoutALockAndRightWithIt() throws Exception {
        Run without = wrongRun();
        Run with;
        try (LocalZooKeeper server = new LocalZooKeeper();
                ZooKeeperLockRegistry first = instance(server);
                ZooKeeperLockRegistry second = instance(server)) {
            List<ZooKeeperLockRegistry> instances = List.of(first, second);
            with = CountedOrders.run(
                    (instance, update) -> instances.get(instance).executeLocked("/order-stats", handle -> {
                        update.run();
                        return null;
                    }));
        }

        assertThat(with.counted())
                .isEqualTo(with.orders())
                .isEqualTo(CountedOrders.INSTANCES * CountedOrders.ORDERS_EACH);
        assertThat(with.updates()).noneMatch(with::isStale);
        assertThat(without.updates()).anyMatch(without::isStale);
        String drawn = MovingPicture.of(without, with);
        if (Boolean.getBoolean("zklock.docs.rewrite")) {
            Files.writeString(PICTURE, drawn);
        }
        String published = Files.readString(PICTURE);
        for (String picture : List.of(drawn, published)) {
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(picture)));
            assertThat(counted(picture, "\u2717")).isLessThan(with.orders());
            assertThat(counted(picture, "\u2713")).isEqualTo(with.orders());
        }
    }

    /** Without a lock, an update may be lost or not: with several attempts, one is. */
    private static Run wrongRun() throws Exception {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Run run = CountedOrders.run((instance, update) -> update.run());
            if (run.counted() < run.orders()) {
                return run;
            }
        }
        throw new AssertionError("No update was lost in " + ATTEMPTS + " runs without a lock");
    }

    private static int counted(String picture, String mark) {
        return Pattern.compile("(\\d+) counted " + mark)
                .matcher(picture)
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .findFirst()
                .orElseThrow();
    }

    private static ZooKeeperLockRegistry instance(LocalZooKeeper server) {
        return ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .closeOnExit(false)
                .build();
    }
}
