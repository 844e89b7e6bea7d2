package io.github.zklock.autoconfigure.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnlyLeader;
import io.github.zklock.autoconfigure.CuratorFrameworkBuilderCustomizer;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.leadership.ZkLockLeadershipAutoConfiguration;
import io.github.zklock.autoconfigure.method.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.startup.ZkLockStartupAutoConfiguration;
import io.github.zklock.fixture.LocalZooKeeper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The output of a real application that fails to start. */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysesTest {

    private static final String PROTECTED = "/protected";
    private static final String SECRET = "hunter2";

    private static LocalZooKeeper server;

    @BeforeAll
    static void startServer() throws Exception {
        server = new LocalZooKeeper();
        try (CuratorFramework owner = clientOf("alice:secret")) {
            owner.create().withACL(Ids.CREATOR_ALL_ACL).forPath(PROTECTED);
        }
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @Test
    void noServersAreConfigured(CapturedOutput output) {
        String analysis = analysisOfAStartWith(output);

        assertThat(analysis)
                .contains("no ZooKeeper servers for its locks")
                .containsSubsequence(
                        "Action:",
                        "zk.lock.connect-string",
                        "zk-lock-embedded",
                        "ZkLockConnectionDetails",
                        "CuratorFramework");
    }

    @Test
    void unreachableServer(CapturedOutput output) {
        String analysis =
                analysisOfAStartWith(output, "zk.lock.connect-string=127.0.0.1:1", "zk.lock.startup-timeout=2s");

        assertThat(analysis)
                .contains("The ZooKeeper servers 127.0.0.1:1 could not be used within 2 s")
                .containsSubsequence("Action:", "zk.lock.connect-string", "ClientCnxn", "zk.lock.startup-timeout");
    }

    @Test
    void rejectedAuthentication(CapturedOutput output) {
        String analysis = analysisOf(
                output,
                List.of("zk.lock.connect-string=" + server.connectString(), "zk.lock.startup-timeout=30s"),
                Application.class,
                UnknownScheme.class);

        assertThat(analysis)
                .contains("reject the authentication")
                .containsSubsequence("Action:", "zk.lock.auth")
                .doesNotContain(SECRET);
    }

    @Test
    void rejectionByAnAccessList(CapturedOutput output) {
        String analysis = analysisOfAStartWith(
                output,
                "zk.lock.connect-string=" + server.connectString(),
                "zk.lock.base-path=" + PROTECTED,
                "zk.lock.startup-timeout=30s",
                "zk.lock.auth.username=alice",
                "zk.lock.auth.password=" + SECRET);

        assertThat(analysis)
                .contains("forbids this application to use " + PROTECTED)
                .containsSubsequence("Action:", "Grant", PROTECTED, "zk.lock.auth", "zk.lock.base-path")
                .doesNotContain(SECRET);
    }

    @Test
    void malformedConnectString(CapturedOutput output) {
        String analysis = analysisOfAStartWith(output, "zk.lock.connect-string=zoo1:70000");

        assertThat(analysis).containsSubsequence("zk.lock.connect-string", "zoo1:70000", "Action:");
    }

    @Test
    void malformedBasePath(CapturedOutput output) {
        String analysis = analysisOfAStartWith(
                output, "zk.lock.connect-string=" + server.connectString(), "zk.lock.base-path=locks");

        assertThat(analysis).containsSubsequence("zk.lock.base-path", "locks", "Action:");
    }

    @Test
    void invalidValue(CapturedOutput output) {
        String analysis = analysisOfAStartWith(
                output, "zk.lock.connect-string=" + server.connectString(), "zk.lock.session-timeout=0s");

        assertThat(analysis).containsSubsequence("zk.lock.session-timeout", "Action:");
    }

    @Test
    void severalClients(CapturedOutput output) {
        String analysis = analysisOf(output, List.of(), Application.class, TwoClients.class);

        assertThat(analysis)
                .contains("[first, second]")
                .containsSubsequence("Action:", "@Primary", "zkLockCuratorFramework", "defaultCandidate");
    }

    @Test
    void invalidAnnotation(CapturedOutput output) {
        String analysis = analysisOf(
                output,
                List.of("zk.lock.connect-string=" + server.connectString()),
                Application.class,
                PrivatelyLocked.class);

        assertThat(analysis).containsSubsequence("@DistributedLock on ", "PrivatelyLocked", "Action:");
    }

    static class SeveralMistakes {

        @DistributedLock(value = "/orders", waitTime = "2 seconds")
        void first() {}

        @DistributedLock("/orders/#{#id}")
        void second(String name) {}
    }

    static class NamesNoLeadership {

        @OnlyLeader("/reports")
        void publish() {}
    }

    @Test
    void allInvalidAnnotationsAreReportedAtOnce(CapturedOutput output) {
        String analysis = analysisOf(
                output,
                List.of("zk.lock.connect-string=" + server.connectString()),
                Application.class,
                SeveralMistakes.class,
                NamesNoLeadership.class);

        assertThat(analysis)
                .containsSubsequence(
                        "1. @DistributedLock on " + SeveralMistakes.class.getName() + ".first()",
                        "waitTime '2 seconds' is not a duration.",
                        "2. @DistributedLock on " + SeveralMistakes.class.getName() + ".second(String)",
                        "uses #id, which is no parameter.",
                        "3. @OnlyLeader on " + NamesNoLeadership.class.getName() + ".publish()",
                        "there is no Leadership singleton of that name.",
                        "Action:",
                        "1. Write 500ms, 2s or PT2S.",
                        "2. Use one of #name, #p0, #a0.",
                        "3. Add /reports to zk.lock.leadership");
    }

    @Test
    void allInvalidValuesAreReportedAtOnceWithTheirOrigins(CapturedOutput output) {
        String analysis = analysisOfAStartWith(
                output,
                "zk.lock.connect-string=" + server.connectString(),
                "zk.lock.session-timeout=0s",
                "zk.lock.base-path=locks",
                "zk.lock.locks[0].name=/orders",
                "zk.lock.locks[0].wait-time=soon");

        assertThat(analysis)
                .containsSubsequence(
                        "1. zk.lock.session-timeout 0s is not positive (set by \"zk.lock.session-timeout\" from property"
                                + " source \"commandLineArgs\").",
                        "2. zk.lock.base-path 'locks' is not a ZooKeeper path",
                        "3. zk.lock.locks[0].wait-time 'soon' is not a time to wait",
                        "Action:",
                        "1. Use 1ms or more.",
                        "2. Use an absolute path",
                        "3. Use a duration");
    }

    @Test
    void limitOfAsynchronousMethods(CapturedOutput output) {
        String analysis = analysisOfAStartWith(
                output, "zk.lock.connect-string=" + server.connectString(), "zk.lock.async.concurrency-limit=0");

        assertThat(analysis)
                .containsSubsequence(
                        "zk.lock.async.concurrency-limit 0 lets no method run", "Action:", "Use 1 or more.");
    }

    @Test
    void sslBundleThatDoesNotExist(CapturedOutput output) {
        String analysis = analysisOfAStartWith(
                output, "zk.lock.connect-string=" + server.connectString(), "zk.lock.ssl.bundle=nowhere");

        assertThat(analysis)
                .containsSubsequence("zk.lock.ssl.bundle is 'nowhere'", "Action:", "spring.ssl.bundle.pem.nowhere");
    }

    @Test
    void missingCodeOfTheApplicationIsNotAttributedToZooKeeper() {
        NoSuchMethodError ofTheApplication = new NoSuchMethodError("'void com.example.Billing.charge()'");
        ofTheApplication.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("jdk.internal.reflect.Shown", "invoke", "Shown.java", 1),
            new StackTraceElement("com.example.Orders", "charge", "Orders.java", 1),
            new StackTraceElement("io.github.zklock.aop.DistributedLockInterceptor", "invoke", "Any.java", 1)
        });

        assertThat(new ZooKeeperJarFailureAnalyzer().analyze(ofTheApplication)).isNull();
    }

    @Test
    void jarThatIsTooOld(CapturedOutput output) throws Exception {
        try (OldZooKeeperJar jars = new OldZooKeeperJar()) {
            jars.run(OldJarApplication.class);
        }

        assertThat(analysisIn(output))
                .contains("NoSuchMethodError")
                .containsPattern("Found: ZooKeeper 3\\.\\S+ in \\S+, Curator .* in \\S+")
                .containsSubsequence("Action:", "org.apache.zookeeper:zookeeper", "zk-lock-bom");
    }

    private static String analysisOfAStartWith(CapturedOutput output, String... properties) {
        return analysisOf(output, List.of(properties), Application.class);
    }

    private static String analysisOf(CapturedOutput output, List<String> properties, Class<?>... sources) {
        SpringApplication application = new SpringApplication(sources);
        application.setWebApplicationType(WebApplicationType.NONE);
        List<String> arguments = new ArrayList<>();
        properties.forEach(property -> arguments.add("--" + property));

        assertThatThrownBy(() -> application.run(arguments.toArray(String[]::new)));

        return analysisIn(output);
    }

    private static String analysisIn(CapturedOutput output) {
        String all = output.getAll();
        assertThat(all).contains("APPLICATION FAILED TO START");
        return all.substring(all.indexOf("APPLICATION FAILED TO START"));
    }

    private static CuratorFramework clientOf(String identity) {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(server.connectString())
                .retryPolicy(new RetryOneTime(10))
                .authorization("digest", identity.getBytes(StandardCharsets.UTF_8))
                .build();
        client.start();
        return client;
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        SslAutoConfiguration.class,
        ZkLockAutoConfiguration.class,
        ZkLockStartupAutoConfiguration.class,
        ZkLockAopAutoConfiguration.class,
        ZkLockLeadershipAutoConfiguration.class
    })
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class UnknownScheme {

        @Bean
        CuratorFrameworkBuilderCustomizer unknownScheme() {
            return builder -> builder.authorization("nosuchscheme", SECRET.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoClients {

        @Bean
        CuratorFramework first() {
            return clientOf("first:one");
        }

        @Bean
        CuratorFramework second() {
            return clientOf("second:two");
        }
    }

    static class PrivatelyLocked {

        @DistributedLock("/orders")
        final void inVain() {}
    }
}
