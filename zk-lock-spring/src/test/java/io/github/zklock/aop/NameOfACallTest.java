package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.LockHandle;
import io.github.zklock.annotation.DistributedLock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.stereotype.Component;

class NameOfACallTest extends SynchronousCallTests {

    private static final AtomicInteger runs = new AtomicInteger();

    @Component("tenants")
    static class Tenants {

        final AtomicInteger asked = new AtomicInteger();

        public String current() {
            asked.incrementAndGet();
            return "acme/eu";
        }

        public String path() {
            return "/tenants/acme";
        }
    }

    @Component
    static class Orders {

        public final String tenant = "blue";

        @DistributedLock("/names/literal#1")
        public List<String> literal() {
            return run();
        }

        @DistributedLock("/names/${names.shop}/#{#id}")
        public List<String> placeholder(String id) {
            return run();
        }

        @DistributedLock("/names/#{#p0}/#{#a1}/#{args[0]}")
        public List<String> indexed(String id, int line) {
            return run();
        }

        @DistributedLock("/names/#{target.tenant}/#{method.name}")
        public List<String> ofTarget() {
            return run();
        }

        @DistributedLock("/names/#{@tenants.current()}")
        public List<String> ofBean() {
            return run();
        }

        @DistributedLock("#{@tenants.path()}")
        public List<String> path() {
            return run();
        }

        @DistributedLock("/names/#{#ids[0]}")
        public List<String> changing(List<String> ids, @Nullable LockHandle handle) {
            ids.set(0, "changed");
            return run();
        }

        @DistributedLock("/names/#{#handle}")
        public List<String> ofFilled(@Nullable LockHandle handle) {
            return run();
        }

        @DistributedLock("/names/#{#id}")
        public List<String> of(@Nullable Object id) {
            return run();
        }

        private static List<String> run() {
            runs.incrementAndGet();
            return heldNow();
        }
    }

    @BeforeAll
    static void startApplication() {
        start(Map.of("names.shop", "book/shop"), Tenants.class, Orders.class);
    }

    @BeforeEach
    void forget() {
        runs.set(0);
    }

    private final Orders orders = bean(Orders.class);

    @Test
    void textIsTheName() {
        assertThat(orders.literal()).containsExactly("/names/literal#1");
    }

    @Test
    void aPropertyIsPartOfTheTemplate() {
        assertThat(orders.placeholder("4/2")).containsExactly("/names/book/shop/4%2F2");
    }

    @Test
    void argumentsHaveNumbers() {
        assertThat(orders.indexed("x", 7)).containsExactly("/names/x/7/x");
    }

    @Test
    void theTargetIsTheObjectItselfAndNotItsProxy() {
        assertThat(orders.ofTarget()).containsExactly("/names/blue/ofTarget");
    }

    @Test
    void aBeanIsAskedOnceForEachCall() {
        int before = bean(Tenants.class).asked.get();

        assertThat(orders.ofBean()).containsExactly("/names/acme%2Feu");
        assertThat(bean(Tenants.class).asked.get() - before).isEqualTo(1);
    }

    @Test
    void aSingleExpressionMayBeAPath() {
        assertThat(orders.path()).containsExactly("/tenants/acme");
    }

    @Test
    void theNameIsThatOfTheArgumentsAsTheyCame() throws InterruptedException {
        List<String> ids = new ArrayList<>(List.of("1"));

        assertThat(orders.changing(ids, null)).containsExactly("/names/1");
        assertThat(becomesFreeForOthers("/names/1")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#{T(java.lang.System).setProperty('zklock.broken', 'x')}",
                "${user.home}",
                "T(java.lang.Runtime).getRuntime()",
                "#id"
            })
    void whatAUserHasSentIsNeverEvaluated(String text) {
        assertThat(orders.of(text)).containsExactly("/names/" + text);
        assertThat(System.getProperty("zklock.broken")).isNull();
    }

    @Test
    void withoutANameTheMethodDoesNotRun() {
        for (Object id : Arrays.asList(null, "", "  ", new Object(), new int[0])) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> orders.of(id))
                    .withMessageContaining("'/names/#{#id}'")
                    .withMessageContaining("Orders.of(Object)")
                    .withMessageContaining("#{#id} is")
                    .withMessageContaining("did not run");
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void aNameIsNotThatOfAHandleWhichIsYetToCome() {
        assertThatIllegalArgumentException().isThrownBy(() -> orders.ofFilled(null));
        assertThat(runs).hasValue(0);
    }
}
