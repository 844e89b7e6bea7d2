package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

/** What the documents show as YAML can be copied. */
class DocumentedYamlTest {

    private static final Pattern EXAMPLE = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleIsValidAndHasNoUnknownProperty(String yaml) throws IOException {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("secrets", Map.of("ORDERS_ZOOKEEPER_PASSWORD", "wonderland")));
        List<PropertySource<?>> sources = new YamlPropertySourceLoader()
                .load("example", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        sources.forEach(environment.getPropertySources()::addFirst);

        ZkLockProperties bound = Binder.get(environment)
                .bindOrCreate(
                        "zk.lock",
                        Bindable.of(ZkLockProperties.class),
                        new NoUnboundElementsBindHandler(BindHandler.DEFAULT));

        assertThat(bound).isNotNull();
    }

    static Stream<String> examples() throws IOException {
        String text = Files.readString(ConfigurationMetadataTest.repository().resolve("docs/configuration.md"));
        return EXAMPLE.matcher(text).results().map(found -> found.group(1)).filter(yaml -> yaml.contains("zk.lock"));
    }
}
