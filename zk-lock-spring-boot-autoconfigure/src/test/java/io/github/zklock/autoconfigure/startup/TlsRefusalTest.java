package io.github.zklock.autoconfigure.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.autoconfigure.Certificates;
import io.github.zklock.autoconfigure.Contexts;
import io.github.zklock.autoconfigure.TlsZooKeeper;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** Servers and clients that do not trust each other: no session is created, and the message states the reason. */
@ExtendWith(OutputCaptureExtension.class)
class TlsRefusalTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String TRUST = "trust store of the SSL bundle that zk.lock.ssl.bundle names";

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

    @AfterEach
    void presentTheRightKeys() {
        server.present(serverKeys);
    }

    @Test
    void anAuthorityThatTheBundleDoesNotTrustIsNamedWithTheRemedy() throws Exception {
        assertRefused(
                bundle(clientKeys, strangerKeys),
                "that the trust store of zk.lock.ssl.bundle does not trust",
                "Add the certificate of the authority",
                TRUST);
    }

    @Test
    void aCertificateThatHasExpiredIsNamedWithTheRemedy() throws Exception {
        Path expired = certificates.signedKey("expired", "localhost", "authority-1", "-9d");
        server.present(expired);

        assertRefused(bundle(clientKeys, expired), "that has expired", "Renew the certificate of the server");
    }

    @Test
    void aCertificateThatIsNotValidYetIsNamedWithTheRemedy() throws Exception {
        Path early = certificates.signedKey("early", "localhost", "authority-2", "+9d");
        server.present(early);

        assertRefused(bundle(clientKeys, early), "that is not valid yet", "Compare the clocks");
    }

    @Test
    void aHostThatTheCertificateDoesNotNameIsNamedWithTheRemedy() throws Exception {
        Path elsewhere = certificates.signedKey("elsewhere", "elsewhere.invalid", "authority-3", "-1d");
        server.present(elsewhere);

        assertRefused(
                bundle(clientKeys, elsewhere), "that is not for the host localhost", "host names of the certificates");
    }

    @Test
    void theMessageNamesAClientCertificateThatTheServerDoesNotTrust() throws Exception {
        assertRefused(
                bundle(strangerKeys, serverKeys),
                "rejects the certificate of this application",
                "Set a key that the servers trust in the SSL bundle that zk.lock.ssl.bundle names");
    }

    @Test
    void aServerWithoutTlsIsNamedWithTheRemedy() throws Exception {
        String plain = Contexts.server().connectString();

        assertRefused(plain, bundle(clientKeys, serverKeys), "this port may not use TLS", "secureClientPort");
    }

    @Test
    void serversWithAValidHandshakeAreNotReported() throws Exception {
        ServerDiagnosis diagnosis =
                ServerDiagnosis.begin(server.connectString(), bundle(clientKeys, serverKeys), Duration.ofSeconds(1));

        Awaitility.await().atMost(LONG).until(() -> diagnosis.text().contains("creates no session"));
        assertThat(diagnosis.remedy()).isEmpty();
    }

    @Test
    void theStartFailsWithAnAnalysisOfTheCertificate(CapturedOutput output) throws Exception {
        Path elsewhere = certificates.key("nowhere", "nowhere.invalid");
        server.present(elsewhere);
        Path trust = certificates.trusting(elsewhere);

        failToStart(trust, "3s");
        if (!output.getAll().contains("is not for the host")) {
            // the handshake took longer than half of the limit
            failToStart(trust, "60s");
        }

        assertThat(output.getAll())
                .containsSubsequence(
                        "APPLICATION FAILED TO START",
                        "Description:",
                        "zk.lock.startup=wait",
                        "is not for the host localhost",
                        "Action:",
                        "zk.lock.connect-string")
                .doesNotContain(Certificates.PASSWORD);
    }

    private static void failToStart(Path trust, String limit) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        String stores = "--spring.ssl.bundle.jks.zk.";

        assertThatThrownBy(() -> application.run(
                "--zk.lock.connect-string=" + server.connectString(),
                "--zk.lock.startup=wait",
                "--zk.lock.startup-timeout=" + limit,
                "--zk.lock.connection-timeout=1s",
                "--zk.lock.ssl.bundle=zk",
                stores + "keystore.location=file:" + clientKeys,
                stores + "keystore.password=" + Certificates.PASSWORD,
                stores + "truststore.location=file:" + trust,
                stores + "truststore.password=" + Certificates.PASSWORD));
    }

    private static void assertRefused(SslBundle bundle, String fact, String... remedy) {
        assertRefused(server.connectString(), bundle, fact, remedy);
    }

    private static void assertRefused(String connectString, SslBundle bundle, String fact, String... remedy) {
        ServerDiagnosis diagnosis = ServerDiagnosis.begin(connectString, bundle, LONG);

        Awaitility.await()
                .atMost(LONG)
                .until(() -> diagnosis.remedy().isPresent() && diagnosis.text().contains(fact));
        assertThat(diagnosis.remedy().orElseThrow()).contains(remedy);
        assertThat(diagnosis.text()).doesNotContainPattern("\\R");
    }

    private static SslBundle bundle(Path keys, Path trusted) throws Exception {
        return SslBundle.of(SslStoreBundle.of(
                Certificates.load(keys), Certificates.PASSWORD, Certificates.load(certificates.trusting(trusted))));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        SslAutoConfiguration.class,
        ZkLockAutoConfiguration.class,
        ZkLockStartupAutoConfiguration.class
    })
    static class Application {}
}
