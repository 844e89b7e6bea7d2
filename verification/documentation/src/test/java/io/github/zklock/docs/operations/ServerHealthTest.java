package io.github.zklock.docs.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.fixture.LocalZooKeeper;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.junit.jupiter.api.Test;

/** The lines that {@code docs/guide/zookeeper.md} explains are those of a server's answer. */
class ServerHealthTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "guide", "zookeeper.md");
    private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

    @Test
    void aServerAnswersSrvrWithTheLinesOfTheTable() throws Exception {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("## Are the servers healthy?");
        String section = page.substring(begin, page.indexOf("\n## ", begin));
        List<String> lines = FIRST_CELL
                .matcher(section)
                .results()
                .map((MatchResult row) -> row.group(1))
                .toList();
        String answer;
        try (LocalZooKeeper server = new LocalZooKeeper()) {
            URI address = URI.create("zk://" + server.connectString());
            answer = FourLetterWordMain.send4LetterWord(address.getHost(), address.getPort(), "srvr");
        }

        assertThat(lines).hasSize(5).allSatisfy(line -> assertThat(answer).containsPattern("(?m)^" + line + ": "));
    }
}
