package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AliasFor;

/** The places of the annotation, and the calls that it applies to. */
class AnnotationLookupTest extends AopTest {

    @DistributedLock(name = "/default", waitTime = "1s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Guarded {
        @AliasFor(annotation = DistributedLock.class, attribute = "name")
        String lock();
    }

    interface Repository<T> {

        @DistributedLock("/lookup/#{#entity}")
        default List<String> save(T entity) {
            return heldNow();
        }

        @DistributedLock("/lookup/default/#{#id}")
        default List<String> load(String id) {
            return heldNow();
        }
    }

    @DistributedLock("/lookup/audit")
    interface Audit {
        List<String> audit();
    }

    @DistributedLock("/lookup/report")
    interface Report {
        List<String> report();
    }

    interface Completion {

        @DistributedLock("/lookup/completion/#{#id}")
        List<String> complete(String id);
    }

    static class Completes {

        public List<String> complete(String id) {
            return heldNow();
        }
    }

    /** Only here, the inherited method implements the interface. */
    static class Completing extends Completes implements Completion {}

    abstract static class Base {

        @DistributedLock("/lookup/base/#{#first}")
        public abstract List<String> swapped(String first, String second);

        @Guarded(lock = "/lookup/meta")
        public List<String> inherited() {
            return heldNow();
        }

        @DistributedLock("/lookup/above")
        public List<String> overridden() {
            return heldNow();
        }
    }

    static class Orders extends Base implements Repository<String>, Audit, Report {

        @Override
        public List<String> save(String order) {
            return heldNow();
        }

        @Override
        public List<String> audit() {
            return heldNow();
        }

        @Override
        public List<String> report() {
            return heldNow();
        }

        @Override
        @SuppressWarnings(
                "OverridingMethodInconsistentArgumentNamesChecker") // the different names are the subject of the test
        public List<String> swapped(String second, String first) {
            return heldNow();
        }

        @Override
        @DistributedLock("/lookup/own")
        public List<String> overridden() {
            return heldNow();
        }

        public List<String> ofNoInterface() {
            return heldNow();
        }
    }

    @DistributedLock("/lookup/class")
    static class Whole extends Base {

        @Override
        public List<String> swapped(String first, String second) {
            return heldNow();
        }

        public List<String> without() {
            return heldNow();
        }

        List<String> withinThePackage() {
            return heldNow();
        }

        @DistributedLock("/lookup/own")
        public List<String> withItsOwn() {
            return heldNow();
        }

        @Override
        public String toString() {
            return "holds " + heldNow();
        }
    }

    static class Part extends Whole {
        public List<String> added() {
            return heldNow();
        }
    }

    static class Ledger implements Repository<String>, Audit {

        @Override
        public List<String> save(String line) {
            return heldNow();
        }

        @Override
        public List<String> audit() {
            return heldNow();
        }

        public List<String> ofNoInterface() {
            return heldNow();
        }
    }

    @Test
    void annotationsOfOverriddenMethodsApply() {
        TestApplication.of(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);

            assertThat(AopUtils.isCglibProxy(orders)).isTrue();
            assertThat(orders.save("1")).containsExactly("/lookup/1");
            assertThat(((Repository<String>) orders).save("2")).containsExactly("/lookup/2");
            assertThat(orders.load("3")).containsExactly("/lookup/default/3");
            assertThat(orders.inherited()).containsExactly("/lookup/meta");
            assertThat(orders.overridden()).containsExactly("/lookup/own");
        });
    }

    @Test
    void argumentsHaveTheNamesOfTheAnnotatedMethod() {
        TestApplication.of(Orders.class)
                .run(context -> assertThat(context.getBean(Orders.class).swapped("one", "other"))
                        .containsExactly("/lookup/base/one"));
    }

    @Test
    void anAnnotationOnAnInterfaceAppliesToTheMethodsOfTheInterface() {
        TestApplication.of(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);

            assertThat(orders.audit()).containsExactly("/lookup/audit");
            assertThat(orders.report()).containsExactly("/lookup/report");
            assertThat(orders.ofNoInterface()).isEmpty();
        });
    }

    @Test
    void anAnnotationOnAClassAppliesToMethodsWithoutAnAnnotation() {
        TestApplication.of(Whole.class).run(context -> {
            Whole whole = context.getBean(Whole.class);

            assertThat(whole.without()).containsExactly("/lookup/class");
            assertThat(whole.withinThePackage()).containsExactly("/lookup/class");
            assertThat(whole.withItsOwn()).containsExactly("/lookup/own");
            assertThat(whole.inherited()).containsExactly("/lookup/meta");
            assertThat(whole.swapped("one", "other")).containsExactly("/lookup/base/one");
        });
        TestApplication.of(Part.class)
                .run(context -> assertThat(context.getBean(Part.class).added()).containsExactly("/lookup/class"));
    }

    @Test
    void methodsOfObjectNeedNoLock() {
        TestApplication.of(Whole.class)
                .run(context -> assertThat(context.getBean(Whole.class)).hasToString("holds []"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bothKindsOfProxiesSeeCallsThroughInterfaces(boolean classes) {
        application(classes, Ledger.class).run(context -> {
            @SuppressWarnings("unchecked")
            Repository<String> lines = context.getBean(Repository.class);

            assertThat(AopUtils.isJdkDynamicProxy(lines)).isEqualTo(!classes);
            assertThat(lines.save("1")).containsExactly("/lookup/1");
            assertThat(lines.load("2")).containsExactly("/lookup/default/2");
            assertThat(context.getBean(Audit.class).audit()).containsExactly("/lookup/audit");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterfaceLocksAMethodThatItsClassInherits(boolean classProxies) {
        application(classProxies, Completing.class).run(context -> {
            Completion completion = context.getBean(Completion.class);

            assertThat(completion.complete("7")).containsExactly("/lookup/completion/7");
            assertThat(AopUtils.isCglibProxy(completion)).isEqualTo(classProxies);
        });
    }

    private static TestApplication application(boolean classProxies, Class<?> bean) {
        return TestApplication.of(bean)
                .enabledBy(classProxies ? TestApplication.ClassProxies.class : TestApplication.InterfaceProxies.class);
    }
}
