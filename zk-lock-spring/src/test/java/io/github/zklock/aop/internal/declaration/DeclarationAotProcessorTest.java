package io.github.zklock.aop.internal.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.MemberCategory.ACCESS_PUBLIC_FIELDS;
import static org.springframework.aot.hint.MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS;
import static org.springframework.aot.hint.MemberCategory.INVOKE_PUBLIC_METHODS;

import io.github.zklock.LockException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.RunOncePer;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

class DeclarationAotProcessorTest {

    record Customer(String id) {}

    record Order(Customer customer) {}

    record Line(String article) {}

    record Region(String name) {}

    static class Basket {
        public final List<Line> lines = List.of();
        public final Map<String, Customer> customers = Map.of();
    }

    static class Tenant {
        public String getName() {
            return "blue";
        }
    }

    static class Tenants {
        public Tenant current() {
            return new Tenant();
        }
    }

    sealed interface Payment permits Card, Cash {
        String number();
    }

    record Card(String number) implements Payment {}

    record Cash(String number) implements Payment {}

    static class Untouched {}

    interface Shop {
        @DistributedLock("/shops/#{#shop.id()}")
        void open(Customer shop);
    }

    static class Orders implements Shop {

        @DistributedLock("/orders/#{#order.customer().id()}")
        public void place(Order order, Untouched untouched) {}

        @DistributedLock("/customers/#{#order.customer.id}")
        public void byProperty(Order order) {}

        @DistributedLock("/lines/#{#basket.lines[0].article()}/#{#basket.customers['x'].id}")
        public void elements(Basket basket) {}

        @DistributedLock("#{#baskets.![lines].size()}")
        public void projected(List<Basket> baskets) {}

        @DistributedLock("/tenants/#{@tenants.current().name}/#{target.tenant.name}")
        public void beans() {}

        @DistributedLock("/days/#{T(java.time.LocalDate).now().year}/#{new java.util.Date().time}")
        public void days() {}

        @DistributedLock("/payments/#{#payment.number()}")
        public void pay(Payment payment) {}

        @DistributedLock(value = "/busy", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public String busy(String id) {
            return id;
        }

        String instead(String id, LockException busy) {
            return id + busy.getMessage();
        }

        @RunOncePer(window = "1h", name = "/jobs/#{#region.name()}", onBusy = OnBusy.FALLBACK, fallback = "closeLater")
        public void close(Region region) {}

        void closeLater(Region region) {}

        @Override
        public void open(Customer shop) {}

        public Tenant getTenant() {
            return new Tenant();
        }
    }

    @DistributedLock("/all")
    static class Guarded {
        public void unnamed() {}
    }

    private final RuntimeHints hints = hints();

    private static RuntimeHints hints() {
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean("orders", Orders.class);
        context.registerBean("guarded", Guarded.class);
        context.registerBean("tenants", Tenants.class);
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get(DeclarationAotProcessorTest.class)), new InMemoryGeneratedFiles());
        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        return generation.getRuntimeHints();
    }

    private boolean canBeRead(Class<?> type) {
        return RuntimeHintsPredicates.reflection()
                .onType(type)
                .withMemberCategories(INVOKE_PUBLIC_METHODS, ACCESS_PUBLIC_FIELDS)
                .test(hints);
    }

    private boolean canBeCalled(Class<?> type, String method) {
        return RuntimeHintsPredicates.reflection()
                .onMethodInvocation(type, method)
                .test(hints);
    }

    @Test
    void typesOfReadArgumentsAndOfTheirPropertiesAreHinted() {
        assertThat(canBeRead(Order.class)).isTrue();
        assertThat(canBeRead(Customer.class)).isTrue();
        assertThat(canBeRead(Untouched.class)).isFalse();
    }

    @Test
    void elementsOfListsAndMapsAreHinted() {
        assertThat(canBeRead(Basket.class)).isTrue();
        assertThat(canBeRead(Line.class)).isTrue();
        assertThat(canBeRead(List.class)).isTrue();
    }

    @Test
    void theRootTheTargetAndBeansAreHinted() {
        assertThat(canBeRead(CallContext.Root.class)).isTrue();
        assertThat(canBeRead(Orders.class)).isTrue();
        assertThat(canBeRead(Tenants.class)).isTrue();
        assertThat(canBeRead(Tenant.class)).isTrue();
    }

    @Test
    void namedTypesAreHinted() {
        assertThat(canBeRead(LocalDate.class)).isTrue();
        assertThat(canBeRead(java.util.Date.class)).isTrue();
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(java.util.Date.class)
                        .withMemberCategory(INVOKE_PUBLIC_CONSTRUCTORS))
                .accepts(hints);
    }

    @Test
    void theClassesOfASealedTypeAreHinted() {
        assertThat(canBeRead(Payment.class)).isTrue();
        assertThat(canBeRead(Card.class)).isTrue();
        assertThat(canBeRead(Cash.class)).isTrue();
    }

    @Test
    void annotatedMethodsAndFallbacksAreHinted() {
        assertThat(canBeCalled(Orders.class, "place")).isTrue();
        assertThat(canBeCalled(Orders.class, "instead")).isTrue();
        assertThat(canBeCalled(Shop.class, "open")).isTrue();
        assertThat(canBeCalled(Orders.class, "open")).isTrue();
        assertThat(canBeCalled(Guarded.class, "unnamed")).isTrue();
    }

    @Test
    void jobsAreHintedAsLocksAre() {
        assertThat(canBeRead(Region.class)).isTrue();
        assertThat(canBeCalled(Orders.class, "close")).isTrue();
        assertThat(canBeCalled(Orders.class, "closeLater")).isTrue();
    }
}
