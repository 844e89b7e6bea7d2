package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class TlsTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    static Path folder;

    private static Certificates certificates;
    private static Path serverKeys;
    private static Path clientKeys;
    private static Path strangerKeys;
    private static Path renewedKeys;
    private static TlsZooKeeper server;

    @BeforeAll
    static void startServer() throws Exception {
        certificates = new Certificates(folder);
        serverKeys = certificates.key("server", "localhost");
        clientKeys = certificates.key("client", "localhost");
        strangerKeys = certificates.key("stranger", "localhost");
        renewedKeys = certificates.key("renewed", "localhost");
        server = new TlsZooKeeper(
                Files.createDirectory(folder.resolve("data")),
                serverKeys,
                certificates.trusting(clientKeys, renewedKeys));
    }

    @AfterEach
    void presentTheFirstCertificate() {
        server.present(serverKeys);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void aBundleOfStoresIdentifiesBothSides() throws Exception {
        withStores(clientKeys, serverKeys)
                .withPropertyValues("zk.lock.acl=creator-all")
                .run(context -> {
                    try (LockHandle held =
                            context.getBean(LockRegistry.class).lock("/tls").acquire(Duration.ofSeconds(20))) {
                        assertThat(held.isHeld()).isTrue();
                        assertThat(context.getBean(CuratorFramework.class)
                                        .getACL()
                                        .forPath("/locks/tls"))
                                .extracting(ACL::getId)
                                .containsExactly(new Id("x509", "CN=client"));
                    }
                });
    }

    @Test
    void theStoresOfAClientOfTheApplicationAreUsed() throws Exception {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        config.setProperty("zookeeper.ssl.keyStore.location", clientKeys.toString());
        config.setProperty("zookeeper.ssl.keyStore.password", Certificates.PASSWORD);
        config.setProperty(
                "zookeeper.ssl.trustStore.location",
                certificates.trusting(serverKeys).toString());
        config.setProperty("zookeeper.ssl.trustStore.password", Certificates.PASSWORD);
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(server.connectString())
                .sessionTimeoutMs(60_000)
                .zkClientConfig(config)
                .retryPolicy(new RetryOneTime(10))
                .build();
        client.start();
        Contexts.bare()
                .withBean(CuratorFramework.class, () -> client)
                .withPropertyValues("zk.lock.acl=creator-all", "zk.lock.base-path=/lent")
                .run(context -> {
                    try (LockHandle held =
                            context.getBean(LockRegistry.class).lock("/tls").acquire(Duration.ofSeconds(20))) {
                        assertThat(held.isHeld()).isTrue();
                        assertThat(client.getACL().forPath("/lent/tls"))
                                .extracting(ACL::getId)
                                .containsExactly(new Id("x509", "CN=client"));
                    }
                });
    }

    @Test
    void aBundleOfTextFilesIdentifiesBothSides() throws Exception {
        withBundle(
                        "pem.zk.keystore.certificate=file:" + certificates.pemCertificate(clientKeys),
                        "pem.zk.keystore.private-key=file:" + certificates.pemKey(clientKeys),
                        "pem.zk.truststore.certificate=file:" + certificates.pemCertificate(serverKeys))
                .run(context -> context.getBean(LockRegistry.class)
                        .lock("/pem")
                        .acquire(Duration.ofSeconds(20))
                        .close());
    }

    @Test
    void aClientThatTheServerDoesNotTrustIsTurnedAway() throws Exception {
        assertTurnedAway(withStores(strangerKeys, serverKeys));
    }

    @Test
    void aServerThatTheClientDoesNotTrustIsTurnedAway() throws Exception {
        assertTurnedAway(withStores(clientKeys, strangerKeys));
    }

    @Test
    void aClientWithoutAKeyDoesNotBorrowThatOfTheJvm() throws Exception {
        assertTurnedAway(withBundle(
                "jks.zk.truststore.location=file:" + certificates.trusting(serverKeys),
                "jks.zk.truststore.password=" + Certificates.PASSWORD,
                "jks.zk.truststore.type=PKCS12"));
    }

    @Test
    void aHostThatTheCertificateDoesNotNameIsTurnedAway() throws Exception {
        Path keysOfAnotherHost = certificates.key("elsewhere", "elsewhere.invalid");
        server.present(keysOfAnotherHost);
        assertTurnedAway(withStores(clientKeys, keysOfAnotherHost));
    }

    @Test
    void aCertificateThatHasExpiredIsTurnedAway() throws Exception {
        Path expired = certificates.signedKey("expired", "localhost", "authority-1", "-9d");
        server.present(expired);
        assertTurnedAway(withStores(clientKeys, expired));
    }

    @Test
    void aCertificateThatIsNotValidYetIsTurnedAway() throws Exception {
        Path early = certificates.signedKey("early", "localhost", "authority-2", "+9d");
        server.present(early);
        assertTurnedAway(withStores(clientKeys, early));
    }

    @Test
    void aServerWithoutTlsGivesNoSession() throws Exception {
        withStores(clientKeys, serverKeys)
                .withPropertyValues(
                        "zk.lock.connect-string=" + Contexts.server().connectString(), "zk.lock.session-timeout=2s")
                .run(context -> assertThatExceptionOfType(LockUnavailableException.class)
                        .isThrownBy(() -> context.getBean(LockRegistry.class)
                                .lock("/plain")
                                .acquire(Duration.ofSeconds(3))));
    }

    @Test
    void exportedStoresAreForThisUserOnlyAndGoWithTheClient(CapturedOutput output) throws Exception {
        StringBuilder password = new StringBuilder();

        withStores(clientKeys, serverKeys).run(context -> {
            ZKClientConfig config = context.getBean(CuratorFramework.class)
                    .getZookeeperClient()
                    .getZooKeeper()
                    .getClientConfig();
            password.append(config.getProperty("zookeeper.ssl.keyStore.password"));
            Path exported = Path.of(config.getProperty("zookeeper.ssl.keyStore.location"))
                    .getParent();
            List<Path> files;
            try (Stream<Path> all = Files.walk(exported)) {
                files = all.sorted(Comparator.reverseOrder()).toList();
            }

            assertThat(files)
                    .hasSize(3)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .endsWith("------"));
            context.close();
            assertThat(exported).doesNotExist();
        });

        assertThat(password).hasSize(64);
        assertThat(output).doesNotContain(password).doesNotContain(Certificates.PASSWORD);
    }

    @Test
    void theNextConnectionUsesTheCertificatesOfAReloadedBundle() throws Exception {
        Path keysOfTheServerAfterwards = certificates.key("server-renewed", "localhost");
        Path keys = Files.copy(clientKeys, folder.resolve("rotating-keys.p12"));
        Path trust = Files.copy(certificates.trusting(serverKeys), folder.resolve("rotating-trust.p12"));
        withBundle(
                        "jks.zk.keystore.location=file:" + keys,
                        "jks.zk.keystore.password=" + Certificates.PASSWORD,
                        "jks.zk.keystore.type=PKCS12",
                        "jks.zk.truststore.location=file:" + trust,
                        "jks.zk.truststore.password=" + Certificates.PASSWORD,
                        "jks.zk.truststore.type=PKCS12",
                        "jks.zk.reload-on-update=true",
                        "watch.file.quiet-period=100ms")
                .run(context -> {
                    CuratorFramework client = context.getBean(CuratorFramework.class);
                    LockHandle held =
                            context.getBean(LockRegistry.class).lock("/rotated").acquire(LONG);
                    assertThat(identity(client, "/before-rotation")).isEqualTo("CN=client");

                    replace(trust, certificates.trusting(keysOfTheServerAfterwards));
                    replace(keys, renewedKeys);
                    ZKClientConfig config =
                            client.getZookeeperClient().getZooKeeper().getClientConfig();
                    Awaitility.await().atMost(LONG).untilAsserted(() -> {
                        assertThat(aliases(config, "keyStore")).containsExactly("renewed");
                        assertThat(aliases(config, "trustStore")).containsExactly("server-renewed");
                    });
                    server.present(keysOfTheServerAfterwards);
                    server.cut();

                    Awaitility.await()
                            .atMost(LONG)
                            .until(() -> identity(client, "/after-rotation").equals("CN=renewed"));
                    Awaitility.await().atMost(LONG).until(held::isHeld);
                    held.close();
                });
    }

    @Test
    void aBundleThatDoesNotExistStopsTheStart() throws Exception {
        withStores(clientKeys, serverKeys)
                .withPropertyValues("zk.lock.ssl.bundle=missing")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidZkLockPropertyException.class)
                        .hasMessageStartingWith("zk.lock.ssl.bundle is 'missing', but there is no SSL bundle"));
    }

    @Test
    void aKeyThatTheBundleDoesNotHaveStopsTheStart() throws Exception {
        withStores(clientKeys, serverKeys)
                .withPropertyValues("spring.ssl.bundle.jks.zk.key.alias=nobody")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("'nobody'"));
    }

    /** Returns the identity of the client as the server sees it. */
    private static String identity(CuratorFramework client, String path) throws Exception {
        client.create().orSetData().withACL(ZooDefs.Ids.CREATOR_ALL_ACL).forPath(path);
        return client.getACL().forPath(path).get(0).getId().getId();
    }

    private static void replace(Path file, Path content) throws IOException {
        Path complete = Files.copy(content, folder.resolve("complete-" + file.getFileName()));
        Files.move(complete, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static List<String> aliases(ZKClientConfig config, String store) throws Exception {
        KeyStore exported = KeyStore.getInstance("PKCS12");
        try (InputStream in =
                Files.newInputStream(Path.of(config.getProperty("zookeeper.ssl." + store + ".location")))) {
            exported.load(
                    in,
                    config.getProperty("zookeeper.ssl." + store + ".password").toCharArray());
        }
        return Collections.list(exported.aliases());
    }

    private static void assertTurnedAway(ApplicationContextRunner runner) {
        runner.run(context -> {
            long before = TlsZooKeeper.refusals();

            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> TlsZooKeeper.refusals() > before);
            assertThat(context.getBean(CuratorFramework.class)
                            .getZookeeperClient()
                            .isConnected())
                    .isFalse();
        });
    }

    private static ApplicationContextRunner withStores(Path keys, Path trusted) throws Exception {
        return withBundle(
                "jks.zk.keystore.location=file:" + keys,
                "jks.zk.keystore.password=" + Certificates.PASSWORD,
                "jks.zk.keystore.type=PKCS12",
                "jks.zk.truststore.location=file:" + certificates.trusting(trusted),
                "jks.zk.truststore.password=" + Certificates.PASSWORD,
                "jks.zk.truststore.type=PKCS12");
    }

    private static ApplicationContextRunner withBundle(String... bundle) {
        return Contexts.bare()
                .withPropertyValues(
                        Stream.of(bundle).map("spring.ssl.bundle."::concat).toArray(String[]::new))
                .withPropertyValues("zk.lock.connect-string=" + server.connectString(), "zk.lock.ssl.bundle=zk");
    }
}
