package io.github.zklock.docs.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The workflows of GitHub name each action by the commit of a release, because a tag can be moved to other code. */
class WorkflowsTest {

    @Test
    void actionsAreNamedByTheCommitsOfReleases() throws IOException {
        List<String> actions = new ArrayList<>();
        try (Stream<Path> workflows = Files.list(Document.ROOT.resolve(".github/workflows"))) {
            for (Path workflow : workflows.toList()) {
                Files.readAllLines(workflow).stream()
                        .map(line -> line.strip().replaceFirst("^- ", ""))
                        .filter(line -> line.startsWith("uses:"))
                        .forEach(actions::add);
            }
        }

        assertThat(actions)
                .isNotEmpty()
                .allMatch(action -> action.matches("uses: [\\w-]+/[\\w/-]+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+"));
    }
}
