package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** The descriptions of properties in the metadata and in the reference. */
class ConfigurationMetadataTest {

    private static List<Map<String, Object>> properties;
    private static String reference;

    @BeforeAll
    static void read() throws Exception {
        URL classes =
                ZkLockProperties.class.getProtectionDomain().getCodeSource().getLocation();
        Path metadata = Path.of(classes.toURI()).resolve("META-INF/spring-configuration-metadata.json");
        properties =
                list(JsonParserFactory.getJsonParser()
                                .parseMap(Files.readString(metadata))
                                .get("properties"))
                        .stream()
                        .filter(property -> name(property).startsWith("zk.lock."))
                        .toList();
        reference = reference();
    }

    static String reference() throws IOException {
        return Files.readString(repository().resolve("docs/configuration.md"), StandardCharsets.UTF_8);
    }

    @Test
    void allPropertiesAreKnown() {
        assertThat(properties)
                .extracting(ConfigurationMetadataTest::name)
                .contains("zk.lock.connect-string", "zk.lock.handoff.policy", "zk.lock.locks", "zk.lock.enabled");
    }

    @Test
    void everyPropertyIsDescribed() {
        assertThat(properties)
                .allSatisfy(property -> assertThat(property.get("description"))
                        .as(name(property))
                        .asString()
                        .isNotBlank()
                        .endsWith(".")
                        .doesNotStartWith("The ")
                        .doesNotStartWith("A ")
                        .doesNotStartWith("An "));
    }

    @Test
    void everyBooleanDescriptionBeginsWithWhether() {
        assertThat(properties)
                .filteredOn(property -> "java.lang.Boolean".equals(property.get("type")))
                .isNotEmpty()
                .allSatisfy(property -> assertThat(property.get("description"))
                        .as(name(property))
                        .asString()
                        .matches("(Whether|Enable) .*"));
    }

    @Test
    void everyPropertyIsInTheReference() {
        assertThat(properties).allSatisfy(property -> assertThat(reference).contains("`" + name(property) + "`"));
    }

    @Test
    void everyPropertyOfALockIsInTheReference() {
        Stream<String> names = Stream.concat(
                names("zk.lock.locks[n].", ZkLockProperties.LockRule.class),
                names("zk.lock.locks[n].handoff.", ZkLockProperties.HandOffOverride.class));

        assertThat(names.filter(name -> !name.equals("zk.lock.locks[n].handoff")))
                .allSatisfy(name -> assertThat(reference).contains("`" + name + "`"));
    }

    @Test
    void noDefaultOfTheReferenceIsStale() {
        assertThat(properties)
                .filteredOn(property -> property.get("defaultValue") != null)
                .filteredOn(property -> !property.get("defaultValue").toString().isEmpty())
                .allSatisfy(property -> assertThat(reference)
                        .contains("| `" + name(property) + "` | `" + property.get("defaultValue") + "` |"));
    }

    /** The README contains some defaults in its sentences, as in {@code `wait-time` (10 s)}. */
    @Test
    void noDefaultOfTheReadmeIsStale() throws IOException {
        List<MatchResult> defaults = Pattern.compile("`([a-z-]+)`(?: \\(|, )(\\d+) s\\b")
                .matcher(Files.readString(repository().resolve("README.md")))
                .results()
                .toList();

        assertThat(defaults)
                .hasSizeGreaterThan(2)
                .allSatisfy(found -> assertThat(reference)
                        .contains("| `zk.lock." + found.group(1) + "` | `" + found.group(2) + "s` |"));
    }

    private static Stream<String> names(String prefix, Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .map(Field::getName)
                .map(name -> prefix + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
    }

    private static String name(Map<String, Object> property) {
        return String.valueOf(property.get("name"));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Object json) {
        return (List<Map<String, Object>>) json;
    }

    static Path repository() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("docs/configuration.md"))) {
            folder = folder.getParent();
        }
        assertThat(folder)
                .as("a folder with docs/configuration.md, here or above")
                .isNotNull();
        return folder;
    }
}
