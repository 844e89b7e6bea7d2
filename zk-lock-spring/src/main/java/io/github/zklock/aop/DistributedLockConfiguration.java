package io.github.zklock.aop;

import io.github.zklock.LockName;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.observation.LockObservations;
import io.github.zklock.support.MinimumHold;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/**
 * The beans behind {@link io.github.zklock.annotation.DistributedLock}. An importing configuration provides {@link
 * AdviceSettings}, {@link MinimumHold} and a proxy creator. No bean of this class asks for a {@code LockRegistry} until
 * an annotated bean needs one.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class DistributedLockConfiguration {

    /** The name of the bean that runs asynchronous methods. */
    public static final String TASK_EXECUTOR = "zkLockTaskExecutor";

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CreatedBeans zkLockCreatedBeans() {
        return new CreatedBeans();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AnnotationLookup zkLockAnnotations() {
        return new AnnotationLookup();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedMethods zkLockMethods(AnnotationLookup annotations, ConfigurableListableBeanFactory beans) {
        return new LockedMethods(
                annotations,
                beans,
                new Surroundings(
                        SingletonSupplier.of(() -> LockObservations.of(beans)),
                        lazily(beans.getBeanProvider(TransactionTie.class), TransactionTie.NONE),
                        // initialized where there is Reactor, with the first reactive call
                        SingletonSupplier.of(() -> beans.getBeanProvider(ReactiveTransactions.class)
                                .getIfAvailable(() -> ReactiveTransactions.NONE)),
                        lazily(beans.getBeanProvider(CallDefaults.class), new StandardDefaults()),
                        SingletonSupplier.of(() -> beans.getBean(MinimumHold.class)),
                        new CallThreads(beans)));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockAdvisor zkLockAdvisor(
            AnnotationLookup annotations, LockedMethods methods, AdviceSettings settings) {
        return new DistributedLockAdvisor(annotations, new DistributedLockInterceptor(methods), settings.order());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockCheck zkLockCheck(
            AnnotationLookup annotations,
            LockedMethods methods,
            ConfigurableListableBeanFactory beans,
            AdviceSettings settings,
            CreatedBeans created) {
        return new DistributedLockCheck(annotations, methods, beans, new ProxyKind(settings.classProxies()), created);
    }

    /** Looked up at the first call: the advisor exists before most beans do. */
    private static <T> Supplier<T> lazily(ObjectProvider<T> provider, T otherwise) {
        return SingletonSupplier.of(() -> provider.getIfAvailable(() -> otherwise));
    }

    /** The defaults of calls where no bean of type {@link CallDefaults} exists. */
    private static final class StandardDefaults implements CallDefaults {

        private static final Defaults STANDARD =
                new Defaults(new WaitTime(Duration.ofSeconds(10)), OnBusy.THROW, OnLost.THROW_AFTER);

        @Override
        public Defaults of(LockName name) {
            return STANDARD;
        }

        @Override
        public Defaults general() {
            return STANDARD;
        }
    }
}
