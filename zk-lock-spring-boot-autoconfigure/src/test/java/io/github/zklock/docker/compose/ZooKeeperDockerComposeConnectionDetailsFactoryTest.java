package io.github.zklock.docker.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

class ZooKeeperDockerComposeConnectionDetailsFactoryTest {

    private static final String LABEL = "org.springframework.boot.service-connection";

    @ParameterizedTest
    @ValueSource(strings = {"zookeeper", "zookeeper:3.9", "docker.io/library/zookeeper:3.9", "bitnami/zookeeper:3.9"})
    void aServiceOfAnImageOfZooKeeperIsAConnection(String image) throws Exception {
        ZkLockConnectionDetails details = detailsOf(new Service(image, Map.of(), Map.of(2181, 32768)));

        assertThat(details.getConnectString()).isEqualTo("compose.example:32768");
        assertThat(details.getSslBundle()).isNull();
    }

    @Test
    void aServiceIsAConnectionByItsLabel() throws Exception {
        ZkLockConnectionDetails details =
                detailsOf(new Service("acme/coordination", Map.of(LABEL, "zookeeper"), Map.of(2181, 1)));

        assertThat(details.getConnectString()).isEqualTo("compose.example:1");
    }

    @Test
    void aServiceOfAnotherImageIsIgnored() throws Exception {
        Map<Class<?>, ?> found = allDetailsOf(new Service("redis:8", Map.of(), Map.of(6379, 6379)));

        assertThat(found).isEmpty();
    }

    @Test
    void theOnlyPortIsUsed() throws Exception {
        ZkLockConnectionDetails details = detailsOf(new Service("zookeeper", Map.of(), Map.of(2281, 32769)));

        assertThat(details.getConnectString()).isEqualTo("compose.example:32769");
    }

    @Test
    void ofSeveralPortsTheClientPortIsUsed() throws Exception {
        ZkLockConnectionDetails details =
                detailsOf(new Service("zookeeper", Map.of(), Map.of(8080, 1, 2181, 2, 2888, 3)));

        assertThat(details.getConnectString()).isEqualTo("compose.example:2");
    }

    @Test
    void aServiceWithoutAClientPortIsRejected() {
        Service service = new Service("zookeeper", Map.of(), Map.of(2888, 1, 3888, 2));

        assertThatIllegalStateException().isThrownBy(() -> detailsOf(service)).withMessageContaining("2181");
    }

    @Test
    void labelsNameTheStoresOfTls() throws Exception {
        Map<String, String> labels = Map.of(
                "org.springframework.boot.sslbundle.jks.truststore.location", "classpath:none.p12",
                "org.springframework.boot.sslbundle.jks.truststore.password", "secret",
                "org.springframework.boot.sslbundle.jks.protocol", "TLSv1.3");

        ZkLockConnectionDetails details = detailsOf(new Service("zookeeper", labels, Map.of(2281, 1)));

        assertThat(details.getSslBundle())
                .isNotNull()
                .satisfies(bundle -> assertThat(bundle.getProtocol()).isEqualTo("TLSv1.3"));
    }

    @Test
    void severalServicesAreNotCombinedToAnEnsemble() {
        Service one = new Service("zookeeper", Map.of(), Map.of(2181, 1));
        Service two = new Service("zookeeper", Map.of(), Map.of(2181, 2));

        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
                .withBean("one", ZkLockConnectionDetails.class, () -> unchecked(one))
                .withBean("two", ZkLockConnectionDetails.class, () -> unchecked(two))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(NoUniqueBeanDefinitionException.class)
                        .hasStackTraceContaining("one,two"));
    }

    private static ZkLockConnectionDetails unchecked(RunningService service) {
        try {
            return detailsOf(service);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    private static ZkLockConnectionDetails detailsOf(RunningService service) throws Exception {
        Map<Class<?>, ?> found = allDetailsOf(service);
        assertThat(found).containsOnlyKeys(ZkLockConnectionDetails.class);
        return (ZkLockConnectionDetails) found.get(ZkLockConnectionDetails.class);
    }

    /** Finds connection details as Spring Boot does. Only Spring Boot can create the source that wraps a service. */
    private static Map<Class<?>, ?> allDetailsOf(RunningService service) throws Exception {
        Constructor<DockerComposeConnectionSource> constructor =
                DockerComposeConnectionSource.class.getDeclaredConstructor(RunningService.class, Environment.class);
        constructor.setAccessible(true);
        DockerComposeConnectionSource source = constructor.newInstance(service, new MockEnvironment());
        return new ConnectionDetailsFactories(null).getConnectionDetails(source, false);
    }

    private record Service(String imageName, Map<String, String> labels, Map<Integer, Integer> published)
            implements RunningService, ConnectionPorts {

        @Override
        public String name() {
            return "coordination";
        }

        @Override
        public ImageReference image() {
            return ImageReference.of(imageName);
        }

        @Override
        public String host() {
            return "compose.example";
        }

        @Override
        public ConnectionPorts ports() {
            return this;
        }

        @Override
        public Map<String, @Nullable String> env() {
            return Map.of();
        }

        @Override
        public int get(int containerPort) {
            Integer port = published.get(containerPort);
            if (port == null) {
                throw new IllegalStateException("No host port mapping found for container port " + containerPort);
            }
            return port;
        }

        @Override
        public List<Integer> getAll() {
            return List.copyOf(published.values());
        }

        @Override
        public List<Integer> getAll(@Nullable String protocol) {
            return getAll();
        }
    }
}
