package io.github.zklock.testcontainers;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockRegistry;
import io.github.zklock.LockUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.testcontainers.service.connection.JksKeyStore;
import org.springframework.boot.testcontainers.service.connection.JksTrustStore;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.utility.MountableFile;

/** A server that takes only clients whose certificate it trusts, and who trust its own. */
@RequiresZooKeeperImage
class MutualTlsTest {

    private static final String FOLDER = "target/mutual-tls/";
    private static final String PASSWORD = "changeit";
    private static final int SECURE_PORT = 2281;

    private static ZooKeeperServer server;

    @BeforeAll
    static void start() throws Exception {
        Files.createDirectories(Path.of(FOLDER));
        makeKey("server", "-ext", "SAN=dns:localhost,ip:127.0.0.1,ip:172.17.0.1");
        makeKey("client");
        trust("server", "client");
        trust("client", "server");
        server = new ZooKeeperServer()
                .withExposedPorts(SECURE_PORT)
                .withCopyFileToContainer(MountableFile.forHostPath(FOLDER + "server.p12"), "/tls/key.p12")
                .withCopyFileToContainer(MountableFile.forHostPath(FOLDER + "server-trust.p12"), "/tls/trust.p12")
                .withEnv(
                        "ZOO_CFG_EXTRA",
                        String.join(
                                " ",
                                "secureClientPort=" + SECURE_PORT,
                                "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                                "ssl.keyStore.location=/tls/key.p12",
                                "ssl.keyStore.password=" + PASSWORD,
                                "ssl.trustStore.location=/tls/trust.p12",
                                "ssl.trustStore.password=" + PASSWORD,
                                "ssl.hostnameVerification=false"));
        server.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.stop();
        }
    }

    @Test
    void theStoresOfTheAnnotationsReachTheClient() {
        ContainerContexts.of(Trusted.class).run(ContainerContexts::takesALock);
    }

    @Test
    void aClientWithoutACertificateIsNotLetIn() {
        ContainerContexts.of(Nobody.class)
                .withPropertyValues("zk.lock.connection-timeout=2s")
                .run(context -> assertThatExceptionOfType(LockUnavailableException.class)
                        .isThrownBy(() -> context.getBean(LockRegistry.class)
                                .lock("/order-stats")
                                .tryAcquire()));
    }

    @Configuration(proxyBeanMethods = false)
    static class Trusted {

        @Bean(destroyMethod = "")
        @ServiceConnection("zookeeper")
        @JksKeyStore(location = "file:" + FOLDER + "client.p12", password = PASSWORD, type = "PKCS12")
        @JksTrustStore(location = "file:" + FOLDER + "client-trust.p12", password = PASSWORD, type = "PKCS12")
        ZooKeeperServer zookeeper() {
            return server;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Nobody {

        @Bean(destroyMethod = "")
        @ServiceConnection("zookeeper")
        @JksTrustStore(location = "file:" + FOLDER + "client-trust.p12", password = PASSWORD, type = "PKCS12")
        ZooKeeperServer zookeeper() {
            return server;
        }
    }

    /** A key with a certificate that it has signed itself. */
    private static void makeKey(String owner, String... more) throws Exception {
        Path store = Path.of(FOLDER, owner + ".p12");
        Files.deleteIfExists(store);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                owner,
                "-dname",
                "CN=" + owner,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(more));
        Process keytool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Path.of(FOLDER, owner + ".log").toFile())
                .start();
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException(Files.readString(Path.of(FOLDER, owner + ".log")));
        }
    }

    private static void trust(String owner, String trusted) throws Exception {
        char[] password = PASSWORD.toCharArray();
        KeyStore keys = KeyStore.getInstance(Path.of(FOLDER, trusted + ".p12").toFile(), password);
        Certificate certificate = keys.getCertificate(trusted);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, password);
        store.setCertificateEntry(trusted, certificate);
        try (var out = Files.newOutputStream(Path.of(FOLDER, owner + "-trust.p12"))) {
            store.store(out, password);
        }
    }
}
