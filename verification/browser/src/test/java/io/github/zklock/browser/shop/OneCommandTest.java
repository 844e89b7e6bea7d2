package io.github.zklock.browser.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.zklock.browser.Browser;
import io.github.zklock.browser.RequiresBrowser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The first steps of a new user: a clean copy of the sources, one command, and the page. */
@Tag("processes")
@RequiresBrowser
class OneCommandTest {

    private static final Path FOLDER = Path.of("target", "one-command").toAbsolutePath();

    // the test prints the time and does not check it: other builds may use the processors
    private static final Duration LONGEST = Duration.ofMinutes(12);

    @Test
    void oneCommandBringsUpTheShopAndASecondShopJoinsIt(Browser browser) throws Exception {
        Optional<Path> maven = OuterBuild.maven();
        assumeTrue(maven.isPresent(), "SKIPPED: there is no Maven in MAVEN_HOME or on the path");
        Path tree = FOLDER.resolve("tree");
        CleanCopy.of(OuterBuild.root(), tree);
        int zooKeeperPort = TwoShops.freePort();

        long start = System.nanoTime();
        try (ShopProcess first =
                ShopProcess.start(tree, command(maven.get(), zooKeeperPort), FOLDER.resolve("spring-boot-run.log"))) {
            String address = first.address(LONGEST);
            ShopPage page = ShopPage.open(browser, address);
            printTime(Duration.ofNanos(System.nanoTime() - start));
            // from Java 24, the JVM warns of what Maven 3.8 calls
            assertThat(first.output().lines().filter(line -> !line.startsWith("WARNING: ")))
                    .first(STRING)
                    .startsWith("Building the sample");
            page.lock(true);
            page.completeOne();
            long firstToken = page.tokenOfTheLatest();
            page.awaitVerdict("The one order is counted");

            // the second shop uses the ZooKeeper server and the database of the first one
            try (ShopProcess second = secondShop(tree, zooKeeperPort)) {
                ShopPage other = ShopPage.open(browser, second.address(LONGEST));
                other.lock(true);
                other.completeOne();
                assertThat(other.tokenOfTheLatest()).isGreaterThan(firstToken);
                other.awaitVerdict("All 2 orders are counted");
                ShopPage.open(browser, address).awaitVerdict("All 2 orders are counted");
            }
            // without its shop, the page would log failed requests
            browser.open("about:blank");
        }
    }

    /** The command of the README, with ports that no other build on this machine uses. */
    private static List<String> command(Path maven, int zooKeeperPort) {
        List<String> command = new ArrayList<>(List.of(maven.toString(), "-q"));
        command.addAll(OuterBuild.options());
        command.add("spring-boot:run");
        command.add("-Dspring-boot.run.arguments=--server.port=0 --zk.lock.embedded.port=" + zooKeeperPort);
        return command;
    }

    private static ShopProcess secondShop(Path tree, int zooKeeperPort) {
        return ShopProcess.java(
                tree.resolve("sample-demo"),
                FOLDER.resolve("second-shop.log"),
                "--server.port=0",
                "--ordershop.instance=second",
                "--zk.lock.embedded.port=" + zooKeeperPort);
    }

    private static void printTime(Duration took) throws IOException {
        String sentence = "mvn -q spring-boot:run on a clean copy: the page was there after " + took.toSeconds() + " s";
        System.out.println(sentence);
        Files.writeString(FOLDER.resolve("seconds.txt"), sentence + System.lineSeparator());
    }
}
