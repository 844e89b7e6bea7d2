package io.github.zklock.autoconfigure.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.util.ClassUtils;

class ZkLockRuntimeHintsTest {

    private final RuntimeHints hints = new RuntimeHints();

    @ParameterizedTest
    @ValueSource(strings = {"org.apache.zookeeper.ClientCnxnSocketNIO", "org.apache.zookeeper.ClientCnxnSocketNetty"})
    void constructorsThatZooKeeperCallsByNameAreKept(String name) throws ClassNotFoundException {
        Class<?> type = ClassUtils.forName(name, getClass().getClassLoader());

        new ZkLockRuntimeHints().registerHints(hints, getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(type)
                        .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
                .accepts(hints);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.zookeeper.ZooKeeper",
                "org.apache.zookeeper.ClientCnxn",
                "org.apache.zookeeper.ClientCnxn$AuthData"
            })
    void fieldsFromWhichCredentialsAreReadAreKept(String name) throws ClassNotFoundException {
        Class<?> type = ClassUtils.forName(name, getClass().getClassLoader());

        new ZkLockRuntimeHints().registerHints(hints, getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(type)
                        .withMemberCategory(MemberCategory.ACCESS_DECLARED_FIELDS))
                .accepts(hints);
    }

    @Test
    void hintsAreRegistered() {
        assertThat(AotServices.factories().load(RuntimeHintsRegistrar.class).asList())
                .hasAtLeastOneElementOfType(ZkLockRuntimeHints.class);
    }
}
