package io.github.zklock.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** The reference of the properties contains those of this module. */
class ReferenceTest {

    @Test
    void everyPropertyIsInTheReferenceWithItsDefault() throws Exception {
        String reference = Files.readString(Path.of("..", "docs", "configuration.md"));
        Path classes = Path.of(ZkLockEmbeddedProperties.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String metadata = Files.readString(classes.resolve("META-INF/spring-configuration-metadata.json"));

        assertThat((List<?>)
                        JsonParserFactory.getJsonParser().parseMap(metadata).get("properties"))
                .extracting(property -> (Map<?, ?>) property)
                .hasSize(2)
                .allSatisfy(property -> assertThat(reference)
                        .contains("| `" + property.get("name") + "` | "
                                + (property.containsKey("defaultValue")
                                        ? "`" + property.get("defaultValue") + "` |"
                                        : "|")));
    }
}
