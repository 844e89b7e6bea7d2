package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

/** The YAML examples of the documents can be copied. */
class DocumentedYamlTest {

    private static final Pattern EXAMPLE = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern OF_A_FEATURE =
            Pattern.compile("zk\\.lock\\.(embedded|fence|integration|shedlock)\\..*");
    private static final Pattern OF_LOCKS = Pattern.compile("zk\\.lock|^zk:\\s+lock", Pattern.MULTILINE);

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleIsValidAndHasNoUnknownProperty(Path document, String yaml) throws IOException {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("secrets", Map.of("ORDERS_ZOOKEEPER_PASSWORD", "wonderland")));
        List<PropertySource<?>> sources = new YamlPropertySourceLoader()
                .load("example", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        for (PropertySource<?> source : sources) {
            environment.getPropertySources().addFirst(withoutTheFeatures(source, document));
        }

        ZkLockProperties bound = Binder.get(environment)
                .bindOrCreate(
                        "zk.lock",
                        Bindable.of(ZkLockProperties.class),
                        new NoUnboundElementsBindHandler(BindHandler.DEFAULT));

        assertThatCode(bound::afterPropertiesSet).as("%s", document).doesNotThrowAnyException();
    }

    /**
     * Removes the properties of features, which have property classes of their own: these must be known, the others
     * must bind.
     */
    private static PropertySource<?> withoutTheFeatures(PropertySource<?> source, Path document) throws IOException {
        Map<String, Object> rest = new LinkedHashMap<>();
        for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
            if (OF_A_FEATURE.matcher(name).matches()) {
                assertThat(ConfigurationMetadataTest.reference())
                        .as("%s", document)
                        .contains("`" + name + "`");
            } else {
                rest.put(name, Objects.requireNonNull(source.getProperty(name)));
            }
        }
        return new MapPropertySource("example", rest);
    }

    @Test
    void theDocumentsHaveExamples() throws IOException {
        assertThat(examples()).hasSizeGreaterThan(7);
    }

    /** Returns the examples with the name of their document, which failures then report. */
    static Stream<Arguments> examples() throws IOException {
        Path root = ConfigurationMetadataTest.repository();
        List<Path> documents = new ArrayList<>(List.of(root.resolve("README.md")));
        try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
        }
        List<Arguments> examples = new ArrayList<>();
        for (Path document : documents) {
            EXAMPLE.matcher(Files.readString(document))
                    .results()
                    .map(found -> found.group(1))
                    .filter(yaml -> OF_LOCKS.matcher(yaml).find())
                    .forEach(yaml -> examples.add(Arguments.of(root.relativize(document), yaml)));
        }
        return examples.stream();
    }
}
