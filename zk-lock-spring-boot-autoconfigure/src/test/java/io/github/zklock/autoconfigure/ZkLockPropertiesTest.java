package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.zklock.HandOff;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.transaction.InTransaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

class ZkLockPropertiesTest {

    @Test
    void everythingButTheServersHasADefault() {
        ZkLockProperties properties = bind(Map.of());

        assertThat(properties.enabled()).isTrue();
        assertThat(properties.connectString()).isNull();
        assertThat(properties.sessionTimeout()).isEqualTo(Duration.ofSeconds(20));
        assertThat(properties.connectionTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(properties.basePath()).isEqualTo("/locks");
        assertThat(properties.acl()).isNull();
        assertThat(properties.startupTimeout()).isNull();
        assertThat(properties.waitTime()).isEqualTo("10s");
        assertThat(properties.onBusy()).isEqualTo(OnBusy.THROW);
        assertThat(properties.onLost()).isEqualTo(OnLost.THROW_AFTER);
        assertThat(properties.maxHold()).isNull();
        assertThat(properties.transaction()).isEqualTo(InTransaction.HOLD);
        assertThat(properties.shutdownTimeout()).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void yamlBindsAsDocumented() throws Exception {
        ZkLockProperties properties = bindYaml("""
                zk.lock:
                  connect-string: zk1:2181, zk2:2181,[::1]:2181/shop
                  auth:
                    username: alice
                    password: wonderland
                  acl:
                    - digest:alice:qY+9DAjkBcOmzFvDOgDJYzDlVE0=:cdrwa
                    - world:anyone:r
                  client.properties:
                    zookeeper.sasl.clientconfig: LockClient
                    "[zookeeper.ssl.clientAuth]": want
                  startup-timeout: 1m
                  wait-time: forever
                  on-lost: throw-after
                  handoff.policy: strict
                  transaction: refuse
                  locks:
                    - name: /orders/**
                      wait-time: 2s
                      on-busy: skip
                      handoff.linger: 0
                      handoff.policy: bounded
                    - name: reports
                      max-hold: 5m
                """);

        assertThat(properties.acl()).hasSize(2);
        assertThat(properties.client().properties())
                .containsEntry("zookeeper.sasl.clientconfig", "LockClient")
                .containsEntry("zookeeper.ssl.clientAuth", "want");
        assertThat(properties.startupTimeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(properties.handoff().policy()).isEqualTo(HandOff.Policy.STRICT);
        assertThat(properties.locks()).hasSize(2);
        assertThat(properties.locks().get(0).onBusy()).isEqualTo(OnBusy.SKIP);
        assertThat(properties.locks().get(1).maxHold()).isEqualTo(Duration.ofMinutes(5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"open", "CREATOR_ALL", "creator-all", "read-for-world", "ip:10.0.0.0/8:cdrw", "auth::cdrwa"})
    void anAccessListIsOneWordOrOneEntry(String text) {
        assertThat(bind(Map.of("zk.lock.acl", text)).acl()).containsExactly(text);
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            connect-string               | localhost:abc     | 'localhost:abc' has the port 'abc'; use a number from 1 to 65535
            connect-string               | localhost:0       | 'localhost:0' has the port '0'; use a number from 1 to 65535
            connect-string               | localhost:99999   | 'localhost:99999' has the port '99999'; use a number
            connect-string               | localhost:        | 'localhost:' has the port ''; use a number
            connect-string               | :2181             | ':2181' has a server without a host; use host:port
            connect-string               | a:1,,b:2          | 'a:1,,b:2' has a server without a host; use host:port
            connect-string               | a:1,              | 'a:1,' has a server without a host; use host:port
            connect-string               | a b:1             | 'a b:1' has the server 'a b:1', which is not host:port
            connect-string               | zk1;zk2:2181      | 'zk1;zk2:2181' has the server 'zk1;zk2:2181', which is not host:port
            connect-string               | ::1:2181          | '::1:2181' has a server without a host
            connect-string               | zk://a:1          | 'zk://a:1' is a URL; use host:port
            connect-string               | a:1/x/            | 'a:1/x/' ends with an invalid ZooKeeper path
            session-timeout              | 0s                | 0s is not positive; use 1ms or more
            session-timeout              | 10ms              | 10ms is too short: a pause of the JVM or of the network would end the session; use 4s or more in production, and at least 100ms in tests
            session-timeout              | 40d               | 40d is longer than 24 days; use a shorter time
            connection-timeout           | -5s               | -5s is not positive; use 1ms or more
            startup-timeout              | 0s                | 0s is not positive; use 1ms or more
            shutdown-timeout             | -1s               | -1s is negative; use 0 not to wait for holders
            base-path                    | locks             | 'locks' is not a ZooKeeper path
            base-path                    | /locks/           | '/locks/' is not a ZooKeeper path
            base-path                    | ""                | '' is not a ZooKeeper path
            base-path                    | /zookeeper/locks  | '/zookeeper/locks' belongs to ZooKeeper itself; use a path such as
            instance-id                  | " "               | is blank; name the process, or remove the property
            auth.username                | " "               | is blank; name a user
            ssl.bundle                   | ""                | is blank; name an SSL bundle, or remove the property
            acl                          | ""                | is empty; use open, creator-all, read-for-world or entries
            acl                          | everybody         | is not an entry of the form scheme:id:permissions; use open,
            acl                          | world:all:cdrwa   | has the scheme world without the id anyone; use world:anyone:r
            acl                          | world:anyone:r    | grants no identity all of create, delete, read and write
            acl                          | ip:10.0.0.1:rx    | has the permission 'x', which does not exist; use the letters
            acl                          | ip:10.0.0.1:      | grants no permission; end it with one or more of the letters cdrwa
            acl                          | ip::cdrwa         | has the scheme ip without an id; use ip:id:cdrwa
            acl                          | auth:alice:cdrwa  | has the scheme auth with an id, but this scheme has no id; use auth::cdrwa
            acl                          | digest:alice:cdrwa | has the scheme digest without the hash of a password
            acl                          | digest:alice:wonderland:cdrwa | has the scheme digest without the hash of a password
            acl                          | open,creator-all  | contains open and other entries, so that it limits nothing; remove
            wait-time                    | soon              | 'soon' is not a time to wait; use a duration such as 10s, 0 not to
            wait-time                    | -3s               | '-3s' is not a time to wait; use a duration such as 10s, 0 not to
            on-busy                      | as-configured     | is as-configured, which only annotations can use; use throw, skip or
            on-lost                      | as-configured     | is as-configured, which only annotations can use; use throw-after,
            handoff.linger               | -1s               | -1s is negative; use 0 for no linger
            max-hold                     | -1s               | -1s is less than a millisecond; use 0 for no limit, or 1ms
            hold-warning-threshold       | -1s               | -1s is less than a millisecond; use 0 for no warning, or 1ms
            """)
    void aWrongValueIsRejectedWithItsPropertyAndARemedy(String name, String value, String message) {
        assertThat(refusal(Map.of("zk.lock." + name, value)))
                .hasMessageStartingWith("zk.lock." + name + " " + message)
                .extracting(InvalidZkLockPropertyException::property)
                .isEqualTo("zk.lock." + name);
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            name                         | //                | matches no lock (Lock name '/' has an empty segment
            name                         | " "               | is not set; use a name or a pattern such as /orders/42
            name                         | /orders/{id}      | matches no lock ('/orders/{id}' contains braces, which are no wildcard); use a name
            name                         | /orders**         | matches no lock ('/orders**' contains ** inside a segment); use a name
            wait-time                    | soon              | 'soon' is not a time to wait; use a duration such as 10s, 0 not to
            handoff.linger               | -1s               | -1s is negative; use 0 for no linger
            max-hold                     | -1s               | -1s is less than a millisecond; use 0 for no limit, or 1ms
            hold-warning-threshold       | -1s               | -1s is less than a millisecond; use 0 for no warning, or 1ms
            """)
    void aWrongValueOfALockIsRejectedWithItsIndex(String name, String value, String message) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("zk.lock.locks[0].name", "/first");
        values.put("zk.lock.locks[1].name", "/second");
        values.put("zk.lock.locks[1]." + name, value);

        assertThat(refusal(values)).hasMessageStartingWith("zk.lock.locks[1]." + name + " " + message);
    }

    @Test
    void aLockWithoutANameIsRejected() {
        assertThat(refusal(Map.of("zk.lock.locks[0].wait-time", "1s")))
                .hasMessageStartingWith("zk.lock.locks[0].name is not set; use a name");
    }

    @ParameterizedTest
    @CsvSource({"/orders/**,/orders/42", "/orders/*,orders/*", "/a,a/"})
    void anUnreachablePatternIsRejected(String first, String second) {
        assertThat(refusal(Map.of("zk.lock.locks[0].name", first, "zk.lock.locks[1].name", second)))
                .hasMessageStartingWith("zk.lock.locks[1].name '")
                .hasMessageContaining("is never reached: zk.lock.locks[0].name '" + first + "' matches it first");
    }

    @Test
    void lingeringContradictsStrictPlaces() {
        assertThat(refusal(Map.of("zk.lock.handoff.policy", "strict", "zk.lock.handoff.linger", "2s")))
                .hasMessageStartingWith("zk.lock.handoff.linger 2s contradicts the policy strict");
        assertThat(refusal(Map.of(
                        "zk.lock.handoff.policy", "strict",
                        "zk.lock.locks[0].name", "/a",
                        "zk.lock.locks[0].handoff.linger", "2s")))
                .hasMessageStartingWith("zk.lock.locks[0].handoff.linger 2s contradicts the policy strict");
    }

    @Test
    void anIncompleteIdentityIsRejected() {
        assertThat(refusal(Map.of("zk.lock.auth.username", "alice")))
                .hasMessage("zk.lock.auth.password is not set, but a username is; set it");
        assertThat(refusal(Map.of("zk.lock.auth.password", "wonderland")))
                .hasMessageStartingWith("zk.lock.auth.username is not set, but a password is");
        assertThat(refusal(Map.of("zk.lock.auth.username", "al:ice", "zk.lock.auth.password", "wonderland")))
                .hasMessageStartingWith("zk.lock.auth.username contains a colon");
    }

    @Test
    void aWrongValueStopsTheStartOfAContext() {
        Contexts.connected()
                .withPropertyValues("zk.lock.session-timeout=0s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidZkLockPropertyException.class)
                        .hasMessageStartingWith("zk.lock.session-timeout 0s is not positive"));
    }

    @Test
    void noTextShowsASecret() {
        ZkLockProperties digest = bind(Map.of(
                "zk.lock.auth.username", "alice",
                "zk.lock.auth.password", "wonderland",
                "zk.lock.acl", "digest:alice:qY+9DAjkBcOmzFvDOgDJYzDlVE0=:cdrwa",
                "zk.lock.client.properties.zookeeper.ssl.keyStore.password", "wonderland"));

        assertThat(digest.toString() + digest.auth() + digest.client())
                .contains("alice", "zookeeper.ssl.keyStore.password")
                .doesNotContain("wonderland", "qY+9");
    }

    @Test
    void noMessageContainsASecret() {
        List<Map<String, String>> wrong = List.of(
                Map.of("zk.lock.acl", "digest:alice:wonderland:cdrwa"),
                Map.of("zk.lock.acl", "digest:alice:wonderland"),
                Map.of("zk.lock.auth.password", "wonderland"),
                Map.of("zk.lock.auth.username", "a:b", "zk.lock.auth.password", "wonderland"));
        List<String> messages = new ArrayList<>();

        for (Map<String, String> values : wrong) {
            for (Throwable each = catchThrowable(() -> bind(values)); each != null; each = each.getCause()) {
                messages.add(each.toString());
            }
        }

        assertThat(messages).hasSizeGreaterThanOrEqualTo(wrong.size()).noneMatch(text -> text.contains("wonderland"));
    }

    private static InvalidZkLockPropertyException refusal(Map<String, String> values) {
        return catchThrowableOfType(InvalidZkLockPropertyException.class, () -> bind(values));
    }

    static ZkLockProperties bind(Map<String, String> values) {
        return checked(
                new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("zk.lock", ZkLockProperties.class));
    }

    private static ZkLockProperties bindYaml(String yaml) throws Exception {
        StandardEnvironment environment = new StandardEnvironment();
        for (PropertySource<?> source : new YamlPropertySourceLoader()
                .load("test", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))) {
            environment.getPropertySources().addFirst(source);
        }
        return checked(Binder.get(environment).bindOrCreate("zk.lock", ZkLockProperties.class));
    }

    private static ZkLockProperties checked(ZkLockProperties properties) {
        properties.afterPropertiesSet();
        return properties;
    }
}
