package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class TlsTest {

    @TempDir
    static Path folder;

    private static Certificates certificates;
    private static Path serverKeys;
    private static Path clientKeys;
    private static Path strangerKeys;
    private static TlsZooKeeper server;

    @BeforeAll
    static void startServer() throws Exception {
        certificates = new Certificates(folder);
        serverKeys = certificates.key("server", "localhost");
        clientKeys = certificates.key("client", "localhost");
        strangerKeys = certificates.key("stranger", "localhost");
        server = new TlsZooKeeper(
                Files.createDirectory(folder.resolve("data")), serverKeys, certificates.trusting(clientKeys));
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
        try {
            assertTurnedAway(withStores(clientKeys, keysOfAnotherHost));
        } finally {
            server.present(serverKeys);
        }
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
