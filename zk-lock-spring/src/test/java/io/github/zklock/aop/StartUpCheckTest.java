package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.zklock.FencingToken;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.annotation.RunOncePer;
import io.github.zklock.aop.method.InvalidAnnotationException;
import io.github.zklock.config.EnableDistributedLocks;
import io.github.zklock.config.TestApplication;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Mockito;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.PriorityOrdered;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/**
 * Declarations that must fail the start of an application, and declarations that must not. The applications need no
 * server.
 */
class StartUpCheckTest extends AopTest {

    // names and expressions

    static class UnknownVariable {
        @DistributedLock("/orders/#{#order.id}")
        public void run(String id) {}
    }

    static class UnknownFunction {
        @DistributedLock("/orders/#{#trim('x')}")
        public void run(String id) {}
    }

    static class UnknownBean {
        @DistributedLock("/orders/#{@tenants.current()}")
        public void run(String id) {}
    }

    static class ForgottenBraces {
        @DistributedLock("/orders/{id}")
        public void run(String id) {}
    }

    static class ForgottenExpression {
        @DistributedLock("/orders/#id")
        public void run(String id) {}
    }

    static class ForgottenNumber {
        @DistributedLock("/orders/#p0")
        public void run(String id) {}
    }

    static class Unclosed {
        @DistributedLock("/orders/#{#id")
        public void run(String id) {}
    }

    static class Nameless {
        @DistributedLock
        public void run() {}
    }

    static class Unnameable {
        @DistributedLock("/orders//#{#id}")
        public void run(String id) {}
    }

    static class UnknownProperty {
        @DistributedLock("/orders/${no.such.property}")
        public void run() {}
    }

    record Customer(String id) {}

    static class Order {
        public Customer getCustomer() {
            return new Customer("1");
        }

        public String key() {
            return "1";
        }
    }

    interface Event {}

    static class UnknownPropertyOfAnArgument {
        @DistributedLock("/orders/#{#order.idd}")
        public void run(Order order) {}
    }

    static class UnknownPropertyOfAProperty {
        @DistributedLock("/orders/#{#orders[0].customer.name}")
        public void run(List<Order> orders) {}
    }

    static class UnknownMethodOfAnArgument {
        @DistributedLock("/orders/#{#order.isPaid()}")
        public void run(Order order) {}
    }

    static class ForgottenHash {
        @DistributedLock("/orders/#{id}")
        public void run(String id) {}
    }

    static class KnownProperties {
        @DistributedLock("/orders/#{#order.customer.id}/#{#order.key()}/#{#event.id}/#{target.tenant}/#{#any.thing}")
        public void run(Order order, Event event, Object any) {}

        @DistributedLock("/orders/#{#map['id']}/#{#map.size() > 1 and !args[0].isEmpty()}")
        public void run(Map<String, String> map) {}

        public String getTenant() {
            return "1";
        }
    }

    static class MalformedExpression {
        @DistributedLock("/orders/#{#id >}")
        public void run(String id) {}
    }

    // durations and rules

    static class BadWait {
        @DistributedLock(name = "/orders", waitTime = "soon")
        public void run() {}
    }

    static class WaitWithoutUnit {
        @DistributedLock(name = "/orders", waitTime = "500")
        public void run() {}
    }

    static class NegativeWait {
        @DistributedLock(name = "/orders", waitTime = "-1s")
        public void run() {}
    }

    static class NoHold {
        @DistributedLock(name = "/orders", maxHold = "0")
        public void run() {}
    }

    static class UnreadableWindow {
        @RunOncePer(window = "hourly", name = "/orders")
        public void run() {}
    }

    static class WindowOfAnUnknownProperty {
        @RunOncePer(window = "${closing.window}", name = "/orders")
        public void run() {}
    }

    static class WindowOfNoTime {
        @RunOncePer(window = "0s", name = "/orders")
        public void run() {}
    }

    static class ToleranceOfTheWholeWindow {
        @RunOncePer(window = "1h", tolerance = "60m", name = "/orders")
        public void run() {}
    }

    static class UnreadableTolerance {
        @RunOncePer(window = "1h", tolerance = "some", name = "/orders")
        public void run() {}
    }

    static class UnknownZone {
        @RunOncePer(window = "1h", name = "/orders", alignedIn = "Mars/Base")
        public void run() {}
    }

    static class NamelessJob {
        @RunOncePer(window = "1h")
        public void run() {}
    }

    static class SkippedJob {
        @RunOncePer(window = "1h", name = "/orders")
        public int run() {
            return 1;
        }
    }

    static class FinalJob {
        @RunOncePer(window = "1h", name = "/orders")
        public final void run() {}
    }

    static class WindowOfTwoLocks {
        @RunOncePer(window = "1h", name = "/orders")
        @DistributedLock("/stock")
        public void run() {}
    }

    interface Hourly {
        @RunOncePer(window = "1h", name = "/orders")
        void run();
    }

    interface Daily {
        @RunOncePer(window = "1d", name = "/orders")
        void run();
    }

    static class HourlyAndDaily implements Hourly, Daily {
        @Override
        public void run() {}
    }

    static class ReadWithPermits {
        @DistributedLock(name = "/orders", kind = LockKind.READ, permits = 2)
        public void run() {}
    }

    static class NoPermits {
        @DistributedLock(name = "/orders", permits = 0)
        public void run() {}
    }

    static class DifferentRules {
        @DistributedLock(name = "/a", waitTime = "1s")
        @DistributedLock(name = "/b", waitTime = "2s")
        public void run() {}
    }

    static class HandleOfSeveral {
        @DistributedLock("/a")
        @DistributedLock("/b")
        public void run(LockHandle handle) {}
    }

    static class TokenOfSeveral {
        @DistributedLock("/a")
        @DistributedLock("/b")
        public void run(@Nullable FencingToken token) {}
    }

    static class UnknownRegistry {
        @DistributedLock(name = "/a", registry = "second")
        public void run() {}
    }

    // results of skipped calls

    static class SkippedInt {
        @DistributedLock(name = "/a", onBusy = OnBusy.SKIP)
        public int run() {
            return 1;
        }
    }

    static class SkippedLong {
        @DistributedLock(name = "/a", onBusy = OnBusy.SKIP)
        public Long run() {
            return 1L;
        }
    }

    static class SkippedText {
        @DistributedLock(name = "/a", onBusy = OnBusy.SKIP)
        public String run() {
            return "";
        }
    }

    static class SkippedList {
        @DistributedLock(name = "/a", onBusy = OnBusy.SKIP)
        public List<String> run() {
            return List.of();
        }
    }

    // fallbacks

    static class NoFallback {
        @DistributedLock(name = "/a", onBusy = OnBusy.FALLBACK)
        public void run() {}
    }

    static class MissingFallback {
        @DistributedLock(name = "/a", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public void run() {}
    }

    static class FallbackWithOtherParameters {
        @DistributedLock(name = "/a", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public void run(String id) {}

        void instead(int id) {}
    }

    static class FallbackWithOtherResult {
        @DistributedLock(name = "/a", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public String run() {
            return "";
        }

        Object instead() {
            return "";
        }
    }

    static class ItsOwnFallback {
        @DistributedLock(name = "/a", onBusy = OnBusy.FALLBACK, fallback = "run")
        public void run() {}
    }

    static class LockedFallback {
        @DistributedLock(name = "/a", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public void run() {}

        @DistributedLock("/b")
        public void instead() {}
    }

    static class FallbackOfAJobWithTimeout {
        @RunOncePer(window = "1h", name = "/a", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public void run(String id) {}

        void instead(String id, LockTimeoutException reason) {}
    }

    static class FallbackThatIsNotUsed {
        @DistributedLock(name = "/a", onBusy = OnBusy.THROW, fallback = "instead")
        public void run() {}

        void instead() {}
    }

    // proxies

    static class FinalMethod {
        @DistributedLock("/a")
        public final void run() {}
    }

    static class FinalMethodOfAClass implements InitializingBean {
        @DistributedLock("/a")
        public final void run() {}

        @Override
        public void afterPropertiesSet() {}
    }

    static class PrivateMethod {
        @DistributedLock("/a")
        @SuppressWarnings("UnusedMethod")
        private void run() {}
    }

    static class StaticMethod {
        @DistributedLock("/a")
        public static void run() {}
    }

    static final class FinalClass {
        @DistributedLock("/a")
        public void run() {}
    }

    record Line(String text) {
        Line() {
            this("");
        }

        @DistributedLock("/a")
        public void run() {}
    }

    interface Shown {
        void shown();
    }

    static class NotShown implements Shown {
        @Override
        public void shown() {}

        @DistributedLock("/a")
        public void run() {}
    }

    static class Infrastructure implements AopInfrastructureBean {
        @DistributedLock("/a")
        public void run() {}
    }

    interface Debit {
        @DistributedLock("/debit")
        void book();
    }

    interface Credit {
        @DistributedLock("/credit")
        void book();
    }

    static class Booking implements Debit, Credit {
        @Override
        public void book() {}
    }

    static class DecidedBooking implements Debit, Credit {
        @Override
        @DistributedLock("/booking")
        public void book() {}
    }

    static class Fine {
        @DistributedLock("/orders/#{#id}")
        public List<String> run(String id) {
            return List.of(id);
        }
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(UnknownVariable.class, "uses #order, which is no parameter; use one of #id, #p0, #a0"),
                Arguments.of(UnknownFunction.class, "functions are not supported"),
                Arguments.of(UnknownBean.class, "uses @tenants, but there is no bean of that name"),
                Arguments.of(ForgottenBraces.class, "{id} is plain text; write #{#id}"),
                Arguments.of(ForgottenExpression.class, "#id is plain text; write #{#id}"),
                Arguments.of(ForgottenNumber.class, "#p0 is plain text; write #{#p0}"),
                Arguments.of(Unclosed.class, "'/orders/#{#id' cannot be read"),
                Arguments.of(Nameless.class, "names no lock"),
                Arguments.of(Unnameable.class, "has an empty segment"),
                Arguments.of(UnknownProperty.class, "no.such.property"),
                Arguments.of(
                        UnknownPropertyOfAnArgument.class,
                        "reads the property 'idd' of io.github.zklock.aop.StartUpCheckTest$Order, which has no such"
                                + " property; use one of customer"),
                Arguments.of(UnknownPropertyOfAProperty.class, "reads the property 'name' of"),
                Arguments.of(UnknownMethodOfAnArgument.class, "calls isPaid() of"),
                Arguments.of(ForgottenHash.class, "uses id, which is neither an argument nor"),
                Arguments.of(MalformedExpression.class, "'/orders/#{#id >}' cannot be read"),
                Arguments.of(BadWait.class, "waitTime 'soon' is not a duration; write 500ms, 2s or PT2S"),
                Arguments.of(WaitWithoutUnit.class, "waitTime '500' has no unit"),
                Arguments.of(NegativeWait.class, "waitTime -1 s is negative; use 0 not to wait"),
                Arguments.of(NoHold.class, "maxHold 0 is not positive"),
                Arguments.of(UnreadableWindow.class, "window 'hourly' is not a duration; write 500ms, 2s or PT2S"),
                Arguments.of(
                        WindowOfAnUnknownProperty.class,
                        "Could not resolve placeholder 'closing.window' in value \"${closing.window}\"; set the property"),
                Arguments.of(WindowOfNoTime.class, "The window 0 s is not between 1 ms and 3660 days"),
                Arguments.of(
                        ToleranceOfTheWholeWindow.class, "The tolerance 1 h is not between zero and the window 1 h"),
                Arguments.of(UnreadableTolerance.class, "tolerance 'some' is not a duration"),
                Arguments.of(UnknownZone.class, "alignedIn 'Mars/Base' is not a time zone; write UTC or Europe/Berlin"),
                Arguments.of(NamelessJob.class, "names no lock; give it a name"),
                Arguments.of(SkippedJob.class, "uses onBusy = SKIP, but its return type has no value"),
                Arguments.of(FinalJob.class, "is final: no proxy intercepts its calls"),
                Arguments.of(WindowOfTwoLocks.class, "has a window and several locks"),
                Arguments.of(HourlyAndDaily.class, "is declared differently"),
                Arguments.of(ReadWithPermits.class, "permits = 2 and kind = READ"),
                Arguments.of(NoPermits.class, "permits = 0"),
                Arguments.of(DifferentRules.class, "with different rules for one call"),
                Arguments.of(TokenOfSeveral.class, "takes the LockHandle or the FencingToken of one; take a Handle"),
                Arguments.of(HandleOfSeveral.class, "takes the LockHandle or the FencingToken of one; take a Handle"),
                Arguments.of(UnknownRegistry.class, "the registry 'second'"),
                Arguments.of(SkippedInt.class, "uses onBusy = SKIP"),
                Arguments.of(SkippedLong.class, "uses onBusy = SKIP"),
                Arguments.of(SkippedText.class, "uses onBusy = SKIP"),
                Arguments.of(SkippedList.class, "uses onBusy = SKIP"),
                Arguments.of(NoFallback.class, "uses onBusy = FALLBACK, but names no fallback"),
                Arguments.of(MissingFallback.class, "has no other method of that name"),
                Arguments.of(FallbackWithOtherParameters.class, "declare it with the parameters [String]"),
                Arguments.of(
                        FallbackOfAJobWithTimeout.class,
                        "declare it with the parameters [String], optionally with a LockException after them"),
                Arguments.of(FallbackWithOtherResult.class, "which returns Object; let it return String"),
                Arguments.of(ItsOwnFallback.class, "has no other method of that name"),
                Arguments.of(LockedFallback.class, "which is annotated itself"),
                Arguments.of(FallbackThatIsNotUsed.class, "names a fallback, but uses onBusy = THROW"),
                Arguments.of(FinalMethod.class, "is final: no proxy intercepts its calls"),
                Arguments.of(PrivateMethod.class, "is private: no proxy intercepts its calls"),
                Arguments.of(StaticMethod.class, "is static: no proxy intercepts its calls"),
                Arguments.of(FinalClass.class, "is on a final class"),
                Arguments.of(Line.class, "is on a final class"),
                Arguments.of(Booking.class, "is declared differently"),
                Arguments.of(Infrastructure.class, "would run without the lock"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void refused(Class<?> bean, String reason) {
        assertRefused(TestApplication.of(bean), bean.getSimpleName(), reason);
    }

    private static void assertRefused(TestApplication application, String place, String reason) {
        assertThatThrownBy(application.withBeans(PropertySourcesPlaceholderConfigurer.class)::start)
                .satisfies(failure -> assertThat(rootOf(failure))
                        .isInstanceOf(InvalidAnnotationException.class)
                        .hasMessageContaining("$" + place)
                        .hasMessageContaining(reason));
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (!(root instanceof InvalidAnnotationException) && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    @Test
    void allMistakesOfAStartAreReportedAtOnce() {
        TestApplication application = TestApplication.of(
                BadWait.class,
                UnknownVariable.class,
                WindowOfAnUnknownProperty.class,
                UnreadableWindow.class,
                Fine.class);

        Throwable failure = catchThrowable(application.withBeans(PropertySourcesPlaceholderConfigurer.class)::start);

        assertThat(failure).isInstanceOf(InvalidAnnotationException.class).hasMessageContaining("waitTime 'soon'");
        assertThat(failure.getSuppressed())
                .extracting(Throwable::getMessage)
                .satisfiesExactlyInAnyOrder(
                        message -> assertThat(message).contains("uses #order, which is no parameter"),
                        message -> assertThat(message).contains("@RunOncePer on ", "window 'hourly' is not a duration"),
                        message -> assertThat(message).contains("@RunOncePer on ", "'closing.window'"));
    }

    private static void assertStarts(TestApplication application) {
        assertThatCode(() -> application.start().close()).doesNotThrowAnyException();
    }

    // registries

    private static TestApplication withRegistry(TestApplication application, String name, boolean primary) {
        return application.withBean(name, LockRegistry.class, TestApplication::registry, definition -> {
            definition.setLazyInit(true);
            definition.setPrimary(primary);
        });
    }

    static class OfTheSecond {
        @DistributedLock(name = "/a", registry = "second")
        public void run() {}
    }

    @Test
    void anAnnotatedBeanWithoutARegistryFailsTheStart() {
        assertRefused(
                TestApplication.withoutRegistry().withBeans(Fine.class),
                "Fine.run(String)",
                "needs a LockRegistry bean, but there is none; set zk.lock.connect-string");
    }

    @Test
    void withoutAnnotatedBeansNoRegistryIsRequired() {
        assertStarts(TestApplication.withoutRegistry().withBeans(Object.class));
    }

    @Test
    void severalRegistriesMustBeNamed() {
        assertRefused(
                withRegistry(TestApplication.of(Fine.class), "second", false),
                "Fine.run(String)",
                "there are several: zkLockRegistry, second; name one of them with registry, or make one @Primary");
        assertStarts(withRegistry(TestApplication.of(OfTheSecond.class), "second", false));
    }

    @Test
    void ofSeveralRegistriesThePrimaryOneIsMeant() {
        assertStarts(withRegistry(TestApplication.of(Fine.class), "second", true));
    }

    // configured settings

    @Test
    void configuredSettingsAreCheckedToo() {
        assertRefused(
                TestApplication.of(Fine.class).withBean(CallDefaults.class, () -> defaults(OnBusy.SKIP)),
                "Fine.run",
                "uses onBusy = SKIP");
        assertRefused(
                TestApplication.of(Fine.class).withBean(CallDefaults.class, () -> defaults(OnBusy.FALLBACK)),
                "Fine.run",
                "names no fallback");
    }

    private static CallDefaults defaults(OnBusy onBusy) {
        CallDefaults.Defaults all = new CallDefaults.Defaults(new WaitTime(Duration.ZERO), onBusy, OnLost.NOTIFY);
        return new CallDefaults() {
            @Override
            public Defaults of(LockName name) {
                return all;
            }

            @Override
            public Defaults general() {
                return all;
            }
        };
    }

    // beans without a proxy, and beans with another kind of proxy

    @Configuration(proxyBeanMethods = false)
    static class Early {
        @Bean
        static BeanFactoryPostProcessor early(Fine fine) {
            return factory -> {};
        }
    }

    @Test
    void aBeanThatIsCreatedTooEarlyIsRejected() {
        assertRefused(
                TestApplication.of(Fine.class, Early.class), "Fine.run(String)", "another bean required it too early");
    }

    @Test
    void anObjectThatSpringDidNotCreateIsRejected() {
        assertRefused(
                TestApplication.of().with(context -> context.getBeanFactory().registerSingleton("fine", new Fine())),
                "Fine.run(String)",
                "it was not created by Spring");
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyAndOrdered {
        @Bean
        static EarlyPostProcessor early(Fine fine) {
            return new EarlyPostProcessor();
        }
    }

    static class EarlyPostProcessor implements BeanFactoryPostProcessor, PriorityOrdered {
        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {}

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    @Test
    void aBeanThatTheFirstBeanFactoryPostProcessorNeedsIsRejected() {
        assertRefused(
                TestApplication.of(Fine.class, EarlyAndOrdered.class),
                "Fine.run(String)",
                "another bean required it too early");
    }

    @Configuration(proxyBeanMethods = false)
    static class EarliestOfAll {
        @Bean
        static BeanDefinitionRegistryPostProcessor earliest(Fine fine) {
            return registry -> {};
        }
    }

    @Test
    void aBeanThatAPostProcessorOfDefinitionsNeedsIsRejected() {
        assertRefused(
                TestApplication.of(Fine.class, EarliestOfAll.class),
                "Fine.run(String)",
                "another bean required it too early");
    }

    @Test
    void anObjectThatReplacesABeanNeedsNoProxy() {
        assertStarts(TestApplication.of()
                .with(context -> context.registerBean("fine", Fine.class))
                .with(context ->
                        context.addBeanFactoryPostProcessor(factory -> factory.registerSingleton("fine", new Fine()))));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDistributedLocks(proxyTargetClass = true)
    @Import(Fine.class)
    static class WithFine {
        @Bean
        @Lazy
        LockRegistry registry() {
            return TestApplication.registry();
        }
    }

    @ContextConfiguration(classes = WithFine.class)
    static class Mocking {
        @MockitoBean
        Fine fine;
    }

    @Test
    void aMockNeedsNoProxy() throws Exception {
        Mocking test = new Mocking();

        new TestContextManager(Mocking.class).prepareTestInstance(test);

        assertThat(Mockito.mockingDetails(test.fine).isMock()).isTrue();
        assertThat(AopUtils.isAopProxy(test.fine)).isFalse();
    }

    @Test
    void aMethodThatNoInterfaceDeclaresIsRejectedForInterfaceProxies() {
        assertRefused(
                TestApplication.of(NotShown.class).enabledBy(TestApplication.InterfaceProxies.class),
                "NotShown.run()",
                "is not declared by an interface");
        assertStarts(TestApplication.of(NotShown.class));
    }

    @Test
    void aClassWithCallbacksOnlyIsProxiedAsAClass() {
        assertRefused(
                TestApplication.of(FinalMethodOfAClass.class).enabledBy(TestApplication.InterfaceProxies.class),
                "FinalMethodOfAClass.run()",
                "is final");
    }

    static final class FinalShown implements Shown {
        @Override
        @DistributedLock("/a")
        public void shown() {}
    }

    interface LockedJob {
        @DistributedLock("/a")
        void run();
    }

    @Test
    void aFinalClassMayBeBehindAnInterface() {
        assertStarts(TestApplication.of(FinalShown.class).enabledBy(TestApplication.InterfaceProxies.class));
    }

    @Test
    void aLambdaOfAnAnnotatedInterfaceIsProxied() {
        TestApplication.of()
                .withBean(LockedJob.class, () -> () -> {})
                .run(context -> assertThat(AopUtils.isAopProxy(context.getBean(LockedJob.class)))
                        .isTrue());
    }

    static class JobFactory implements FactoryBean<LockedJob> {
        @Override
        public LockedJob getObject() {
            return () -> {};
        }

        @Override
        public Class<?> getObjectType() {
            return LockedJob.class;
        }
    }

    static class WrongFactory implements FactoryBean<SkippedInt> {
        @Override
        public SkippedInt getObject() {
            return new SkippedInt();
        }

        @Override
        public Class<?> getObjectType() {
            return SkippedInt.class;
        }
    }

    @Test
    void whatAFactoryBeanMakesIsProxiedAndChecked() {
        TestApplication.of(JobFactory.class, WrongFactory.class).run(context -> {
            assertThat(AopUtils.isAopProxy(context.getBean(LockedJob.class))).isTrue();
            assertThat(catchThrowable(() -> context.getBean(SkippedInt.class)))
                    .satisfies(failure -> assertThat(rootOf(failure)).hasMessageContaining("uses onBusy = SKIP"));
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Later {
        @Bean
        @Lazy
        SkippedInt lazy() {
            return new SkippedInt();
        }

        @Bean
        @Scope("prototype")
        SkippedText prototype() {
            return new SkippedText();
        }
    }

    @Test
    void beansThatComeLaterAreCheckedThen() {
        TestApplication.of(Later.class).run(context -> {
            for (String name : List.of("lazy", "prototype")) {
                assertThat(catchThrowable(() -> context.getBean(name)))
                        .satisfies(failure -> assertThat(rootOf(failure)).hasMessageContaining("uses onBusy = SKIP"));
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Scoped {
        @Bean
        static CustomScopeConfigurer threads() {
            CustomScopeConfigurer scopes = new CustomScopeConfigurer();
            scopes.addScope("thread", new SimpleThreadScope());
            return scopes;
        }

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        LockedOrders scoped() {
            return new LockedOrders();
        }
    }

    static class LockedOrders {
        @DistributedLock("/scoped/#{#id}")
        public List<String> run(String id) {
            return heldNow();
        }
    }

    @Test
    void aBeanBehindAScopedProxyRunsUnderItsLock() {
        TestApplication.of(Scoped.class)
                .run(context ->
                        assertThat(context.getBean(LockedOrders.class).run("1")).containsExactly("/scoped/1"));
    }

    static class One {
        @Autowired
        @Nullable Other other;

        @DistributedLock("/circle/one")
        public List<String> run() {
            return heldNow();
        }
    }

    static class Other {
        @Autowired
        @Nullable One one;

        @DistributedLock("/circle/other")
        public Optional<List<String>> run() {
            return Optional.ofNullable(one).map(One::run);
        }
    }

    @Test
    void beansThatNeedEachOtherRunUnderTheirLocks() {
        TestApplication.of(One.class, Other.class)
                .run(context -> assertThat(context.getBean(Other.class).run())
                        .contains(List.of("/circle/other", "/circle/one")));
    }

    // names of parameters

    @Test
    void aClassThatWasCompiledWithoutParameterNamesIsRejected(@TempDir Path folder) throws Exception {
        ClassLoader loader = compiledWithoutNames(folder, """
                import io.github.zklock.annotation.DistributedLock;
                public class Nameless {
                    public static class ByName {
                        @DistributedLock("/orders/#{#id}") public void run(String id) {}
                    }
                    public static class Forgotten {
                        @DistributedLock("/orders/#id") public void run(String id) {}
                    }
                    public static class ByNumber {
                        @DistributedLock("/orders/#{#p0}") public void run(String id) {}
                    }
                }
                """);

        assertRefused(
                TestApplication.of(loader.loadClass("Nameless$ByName")).with(context -> context.setClassLoader(loader)),
                "ByName.run(String)",
                "compile with -parameters");
        assertRefused(
                TestApplication.of(loader.loadClass("Nameless$Forgotten"))
                        .with(context -> context.setClassLoader(loader)),
                "Forgotten.run(String)",
                "#id");
        assertStarts(TestApplication.of(loader.loadClass("Nameless$ByNumber"))
                .with(context -> context.setClassLoader(loader)));
    }

    private static ClassLoader compiledWithoutNames(Path folder, String source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        URI file = URI.create("string:///Nameless.java");
        boolean compiled = compiler.getTask(
                        null,
                        null,
                        null,
                        List.of(
                                "-g:none",
                                "-proc:none",
                                "-d",
                                folder.toString(),
                                "-cp",
                                System.getProperty("java.class.path")),
                        null,
                        List.of(new SimpleJavaFileObject(file, JavaFileObject.Kind.SOURCE) {
                            @Override
                            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                                return source;
                            }
                        }))
                .call();
        assertThat(compiled).isTrue();
        // not closed: proxies are defined in this class loader too
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, StartUpCheckTest.class.getClassLoader());
    }

    // exceptions that a fallback may take

    static class FallbackWithReason {
        @DistributedLock(name = "/a", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public void run(String id) {}

        void instead(String id, LockException reason) {}
    }

    static class FallbackWithTimeout {
        @DistributedLock(name = "/a", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public void run(String id) {}

        void instead(String id, LockTimeoutException reason) {}
    }

    @Test
    void validDeclarationsStart() {
        assertStarts(TestApplication.of(
                Fine.class,
                FallbackWithReason.class,
                FallbackWithTimeout.class,
                DecidedBooking.class,
                KnownProperties.class));
    }
}
