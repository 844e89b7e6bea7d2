package io.github.zklock.docs.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.zklock.LockRegistry;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.test.EmbeddedZooKeeperExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;
import org.yaml.snakeyaml.Yaml;

/**
 * The alerts and the dashboard name what a running application shows to Prometheus, and the alerts lead to headings of
 * the runbook.
 */
@ExtendWith(EmbeddedZooKeeperExtension.class)
class AlertsTest {

    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Pattern METRIC = Pattern.compile("zklock_\\w+");
    /** A row of the table of meters. */
    private static final Pattern METER = Pattern.compile("(?m)^\\| `(zklock\\.[\\w.]+)` \\| (?:timer|counter|gauge) ");

    private static final Pattern SELECTOR = Pattern.compile("(zklock_\\w+)\\{(\\w+)=\"(\\w+)\"}");

    @Test
    void eachMetricIsInAScrapeOfARunningApplication(EmbeddedZooKeeper zooKeeper) throws Exception {
        String scrape = scrape(zooKeeper);

        Set<String> scraped = scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[ {]", 2)[0])
                .collect(Collectors.toSet());
        assertThat(metrics(expressions()))
                .hasSizeGreaterThan(5)
                .allSatisfy(metric -> assertThat(scraped).contains(metric));
        assertThat(metrics(panels()))
                .hasSizeGreaterThan(15)
                .allSatisfy(metric -> assertThat(scraped).contains(metric));
        assertThat(expressions())
                .allSatisfy(expression -> assertThat(
                                SELECTOR.matcher(expression).results())
                        .allSatisfy(selector -> assertThat(scrape.lines())
                                .anyMatch(line -> line.startsWith(selector.group(1) + "{")
                                        && line.contains(selector.group(2) + "=\"" + selector.group(3) + "\""))));
    }

    @Test
    void theDashboardShowsEachMeter() throws IOException {
        Set<String> shown = metrics(panels());

        assertThat(METER.matcher(Files.readString(DOCS.resolve("operations.md")))
                        .results())
                .hasSizeGreaterThan(10)
                .allSatisfy(row -> assertThat(shown)
                        .anyMatch(metric -> metric.startsWith(row.group(1).replace('.', '_'))));
    }

    @Test
    void eachExpressionIsBalanced() throws IOException {
        List<String> all = new ArrayList<>(expressions());
        all.addAll(panels());
        assertThat(all).hasSizeGreaterThan(20).allSatisfy(expression -> {
            for (String pair : List.of("()", "[]", "{}")) {
                assertThat(count(expression, pair.charAt(0)))
                        .as("%s in %s", pair, expression)
                        .isEqualTo(count(expression, pair.charAt(1)));
            }
            assertThat(count(expression, '"') % 2).as(expression).isZero();
        });
    }

    @Test
    void eachAlertLeadsToAHeading() throws IOException {
        Set<String> headings = Files.readAllLines(DOCS.resolve("operations.md")).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> "operations.md#"
                        + line.replaceAll("^#+ ", "")
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\w -]", "")
                                .replace(' ', '-'))
                .collect(Collectors.toSet());

        assertThat(rules()).allSatisfy(rule -> {
            Map<?, ?> annotations = (Map<?, ?>) rule.get("annotations");
            assertThat(headings).contains((String) annotations.get("runbook"));
            assertThat(annotations.get("summary")).asString().isNotBlank();
            assertThat(rule.get("alert")).asString().startsWith("ZkLock");
            assertThat(rule.get("labels")).asString().containsAnyOf("page", "warning");
        });
    }

    private static String scrape(EmbeddedZooKeeper zooKeeper) throws InterruptedException {
        SpringApplication application = new SpringApplication(Application.class);
        try (ConfigurableApplicationContext context = application.run(
                "--server.port=0",
                "--zk.lock.connect-string=" + zooKeeper.connectString(),
                "--zk.lock.leadership[0]=/reports",
                "--spring.datasource.url=jdbc:h2:mem:alerts",
                "--zk.lock.fence.jdbc.names=/orders/**",
                "--management.endpoints.web.exposure.include=prometheus")) {
            context.getBean(LockRegistry.class).lock("/orders/42").acquire().close();
            RestClient http = RestClient.create("http://localhost:"
                    + context.getEnvironment().getRequiredProperty("local.server.port") + "/actuator/prometheus");
            return await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> String.valueOf(http.get().retrieve().body(String.class)),
                            text -> text.contains("zklock_session_connected{"));
        }
    }

    private static Set<String> metrics(List<String> expressions) {
        return expressions.stream()
                .flatMap(expression -> METRIC.matcher(expression).results().map(MatchResult::group))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the expressions of the dashboard. */
    private static List<String> panels() throws IOException {
        Map<String, Object> dashboard = new Yaml().load(Files.readString(DOCS.resolve("grafana-dashboard.json")));
        List<String> expressions = new ArrayList<>();
        for (Object panel : (List<?>) dashboard.getOrDefault("panels", List.of())) {
            Object targets = ((Map<?, ?>) panel).get("targets");
            for (Object target : targets instanceof List<?> list ? list : List.of()) {
                expressions.add(String.valueOf(((Map<?, ?>) target).get("expr")));
            }
        }
        return expressions;
    }

    private static List<String> expressions() throws IOException {
        return rules().stream().map(rule -> String.valueOf(rule.get("expr"))).toList();
    }

    private static List<Map<?, ?>> rules() throws IOException {
        List<Map<?, ?>> rules = new ArrayList<>();
        Map<String, Object> file = new Yaml().load(Files.readString(DOCS.resolve("alerts.yml")));
        for (Object group : (List<?>) file.getOrDefault("groups", List.of())) {
            Object ofGroup = ((Map<?, ?>) group).get("rules");
            for (Object rule : ofGroup instanceof List<?> list ? list : List.of()) {
                rules.add((Map<?, ?>) rule);
            }
        }
        return rules;
    }

    private static long count(String text, char wanted) {
        return text.chars().filter(c -> c == wanted).count();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
