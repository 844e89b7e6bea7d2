package io.github.zklock.docs.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pages, headings, tests and commands in {@code claims.txt} exist. */
@Tag("wording")
class ClaimsTest {

    private static Claims claims;

    @BeforeAll
    static void readTheRepository() {
        claims = new Claims(Build.ofTheRepository());
    }

    @Test
    void everyNameExists() throws IOException {
        try (InputStream file = requireNonNull(ClaimsTest.class.getResourceAsStream("claims.txt"))) {
            List<String> lines = new String(file.readAllBytes(), UTF_8).lines().toList();

            assertThat(claims.problems(lines)).isEmpty();
            assertThat(lines).hasSizeGreaterThan(500);
        }
    }

    @Test
    void aNameOfNothingIsFound() {
        String text = """
                # a comment
                README.md
                  zk-lock
                    "A Spring Boot starter"
                      ClaimsTest
                      ClaimsTest.aNameOfNothingIsFound
                      source: ZooKeeper 3.9.5, Leader.java
                      $ verification/faults/run --scenario M26
                  No heading
                    NoTest
                    ClaimsTest.noMethod
                    $ verification/faults/ran
                    $ mvn -Pnone verify
                docs/none.md
                """;

        assertThat(claims.problems(text.lines().toList()))
                .containsExactly(
                        "README.md has no heading 'No heading'",
                        "there is no test NoTest",
                        "there is no test ClaimsTest.noMethod",
                        "the build has no file verification/faults/ran",
                        "the build has no profile none",
                        "there is no page docs/none.md");
    }
}
