package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.FencingToken;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.annotation.DistributedLock;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.stereotype.Component;

class HandleParametersTest extends SynchronousCallTests {

    @Component
    static class Orders {

        @DistributedLock("/filled/#{#id}")
        public List<Object> filled(String id, @Nullable FencingToken token, @Nullable LockHandle handle) {
            return List.of(
                    id,
                    String.valueOf(token),
                    String.valueOf(handle),
                    LockContext.current().get(0).fencingToken());
        }

        @DistributedLock("/filled/kept")
        public @Nullable LockHandle kept(@Nullable LockHandle handle) {
            return handle;
        }

        @DistributedLock("/filled/kept")
        public @Nullable FencingToken keptToken(@Nullable FencingToken token) {
            return token;
        }

        @DistributedLock("/filled/nested")
        public @Nullable Object nested(@Nullable LockHandle handle, Function<LockHandle, Object> work) {
            return handle == null ? null : work.apply(handle);
        }
    }

    @BeforeAll
    static void startApplication() {
        start(Map.of(), Orders.class);
    }

    private final Orders orders = bean(Orders.class);

    @Test
    void nullArgumentsAreReplacedByTheHandleOrToken() {
        List<Object> seen = orders.filled("1", null, null);

        assertThat(seen.get(1)).isEqualTo(seen.get(3).toString());
        assertThat(seen.get(2)).isNotEqualTo("null");
    }

    @Test
    void argumentsOfTheCallerAreKept() throws InterruptedException {
        try (LockHandle own = heldByOthers("/filled/other")) {
            assertThat(orders.kept(own)).isSameAs(own);
            assertThat(orders.keptToken(own.fencingToken())).isSameAs(own.fencingToken());
        }
    }

    @Test
    void theHandleOfANestedCallIsTheSame() {
        Object inner = orders.nested(null, outer -> orders.nested(null, handle -> handle == outer));

        assertThat(inner).isEqualTo(true);
    }

    @Test
    void tokensIncreaseFromCallToCall() {
        FencingToken first = orders.keptToken(null);
        FencingToken second = orders.keptToken(null);

        assertThat(first).isNotNull();
        assertThat(second).isNotNull();
        assertThat(second.value()).isGreaterThan(first.value());
    }
}
