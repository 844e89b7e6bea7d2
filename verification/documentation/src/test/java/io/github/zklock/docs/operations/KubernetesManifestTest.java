package io.github.zklock.docs.operations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.zklock.test.EmbeddedZooKeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The parts of the Kubernetes manifest fit together, and its shell commands do what it needs. */
class KubernetesManifestTest {

    private static final Path MANIFEST = Path.of("..", "..", "docs", "zookeeper-kubernetes.yml");
    private static final Path BASH = Path.of("/bin/bash");

    @Test
    void eachServerIsNamedInTheListOfServers() throws IOException {
        Map<String, Object> set = one("StatefulSet");
        String name = text(set, "metadata", "name");
        String service = text(set, "spec", "serviceName");
        int replicas = (int) value(set, "spec", "replicas");

        assertThat(environment("ZOO_SERVERS").split(" "))
                .containsExactlyElementsOf(IntStream.range(0, replicas)
                        .mapToObj(pod -> "server.%d=%s-%d.%s:2888:3888;2181".formatted(pod + 1, name, pod, service))
                        .toList());
        assertThat(Files.readString(MANIFEST))
                .contains("#   zk.lock.connect-string="
                        + environment("ZOO_SERVERS")
                                .replaceAll("server\\.\\d=", "")
                                .replace(":2888:3888;", ":")
                                .replace(' ', ',')
                        + "\n");
        assertThat(replicas).as("a majority of them").isOdd().isGreaterThan(1);
    }

    @Test
    void theServiceSelectsTheServers() throws IOException {
        Object labels = value(one("StatefulSet"), "spec", "template", "metadata", "labels");

        assertThat(all("Service"))
                .singleElement()
                .satisfies(service -> assertThat(text(service, "metadata", "name"))
                        .isEqualTo(text(one("StatefulSet"), "spec", "serviceName")))
                .satisfies(service ->
                        assertThat(value(service, "spec", "selector")).isEqualTo(labels));
        assertThat(value(one("StatefulSet"), "spec", "selector", "matchLabels")).isEqualTo(labels);
        assertThat(value(one("PodDisruptionBudget"), "spec", "selector", "matchLabels"))
                .isEqualTo(labels);
        assertThat(value(one("PodDisruptionBudget"), "spec", "maxUnavailable")).isEqualTo(1);
    }

    @Test
    void eachVolumeThatIsMountedIsClaimed() throws IOException {
        List<String> claimed = list(one("StatefulSet"), "spec", "volumeClaimTemplates").stream()
                .map(claim -> text(claim, "metadata", "name"))
                .toList();

        assertThat(list(container(), "volumeMounts"))
                .extracting(mount -> mount.get("name"))
                .containsExactlyInAnyOrderElementsOf(claimed);
    }

    @Test
    void theNumberOfAServerIsThatOfItsPodPlusOne() throws Exception {
        assumeThat(BASH).isExecutable();
        String command = ((List<?>) value(container(), "command")).get(2).toString();

        Process echo = bash(command.replaceFirst("exec .*", "bash -c 'echo \\$ZOO_MY_ID'"), "zookeeper-2");

        assertThat(command).contains("exec /docker-entrypoint.sh zkServer.sh start-foreground");
        assertThat(new String(echo.getInputStream().readAllBytes(), UTF_8).strip())
                .isEqualTo("3");
    }

    @Test
    void theProbeOfReadinessSucceedsAtAServerAndFailsWithoutOne() throws Exception {
        assumeThat(BASH).isExecutable();
        String command = ((List<?>) value(container(), "readinessProbe", "exec", "command"))
                .get(2)
                .toString();
        String here;

        try (EmbeddedZooKeeper server = new EmbeddedZooKeeper()) {
            here = command.replace("127.0.0.1/2181", server.connectString().replace(':', '/'));
            assertThat(here).isNotEqualTo(command);
            assertThat(bash(here, "").waitFor()).isZero();
        }
        assertThat(bash(here, "").waitFor()).isNotZero();
    }

    private static Process bash(String command, String host) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(BASH.toString(), "-c", command);
        builder.environment().put("HOSTNAME", host);
        return builder.start();
    }

    private static String environment(String name) throws IOException {
        return list(container(), "env").stream()
                .filter(each -> each.get("name").equals(name))
                .map(each -> each.get("value").toString())
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Object> container() throws IOException {
        return list(one("StatefulSet"), "spec", "template", "spec", "containers")
                .get(0);
    }

    private static Map<String, Object> one(String kind) throws IOException {
        return all(kind).get(0);
    }

    private static List<Map<String, Object>> all(String kind) throws IOException {
        List<Map<String, Object>> found = new ArrayList<>();
        for (Object each : new Yaml().loadAll(Files.readString(MANIFEST))) {
            Map<String, Object> object = map(each);
            if (object.get("kind").equals(kind)) {
                found.add(object);
            }
        }
        assertThat(found).as(kind).isNotEmpty();
        return found;
    }

    private static String text(Map<String, Object> object, String... path) {
        return value(object, path).toString();
    }

    private static List<Map<String, Object>> list(Map<String, Object> object, String... path) {
        return ((List<?>) value(object, path))
                .stream().map(KubernetesManifestTest::map).toList();
    }

    private static Object value(Map<String, Object> object, String... path) {
        Object value = object;
        for (String key : path) {
            value = requireNonNull(map(value).get(key), key);
        }
        return value;
    }

    @SuppressWarnings("unchecked") // objects of YAML
    private static Map<String, Object> map(Object object) {
        return (Map<String, Object>) object;
    }
}
