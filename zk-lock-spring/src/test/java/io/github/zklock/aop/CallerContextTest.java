package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.annotation.DistributedLock;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import reactor.core.publisher.Mono;

/** The context of the caller, without a library for context propagation. */
class CallerContextTest extends LaterCallTest {

    static class Orders {

        @DistributedLock("/orders/#{#id}")
        public CompletableFuture<Seen> future(String id) {
            return CompletableFuture.completedFuture(Seen.now());
        }

        @DistributedLock("/orders/#{#id}")
        public Mono<Seen> mono(String id) {
            return Mono.just(Seen.now());
        }

        @DistributedLock("/orders/#{#id}")
        public CompletableFuture<Seen> nested(String id, Supplier<CompletableFuture<Seen>> body) {
            return body.get();
        }
    }

    record Seen(
            @Nullable String user,
            Locale locale,
            @Nullable Object tenant,
            @Nullable String log,
            Thread thread) {

        static Seen now() {
            Authentication user = SecurityContextHolder.getContext().getAuthentication();
            RequestAttributes request = RequestContextHolder.getRequestAttributes();
            return new Seen(
                    user == null ? null : user.getName(),
                    LocaleContextHolder.getLocale(),
                    request == null ? null : request.getAttribute("tenant", RequestAttributes.SCOPE_REQUEST),
                    MDC.get("request"),
                    Thread.currentThread());
        }
    }

    /** Uses the same thread again. */
    @Configuration(proxyBeanMethods = false)
    static class Threads {

        @Bean
        ThreadPoolTaskExecutor zkLockTaskExecutor() {
            return new ThreadPoolTaskExecutor();
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class, Threads.class);
    }

    private final Orders orders = bean(Orders.class);

    @AfterEach
    void unbind() {
        SecurityContextHolder.clearContext();
        LocaleContextHolder.resetLocaleContext();
        RequestContextHolder.resetRequestAttributes();
        MDC.remove("request");
    }

    private static void bind() {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", "secret"));
        LocaleContextHolder.setLocale(Locale.CANADA_FRENCH);
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(new MockHttpServletRequest()));
        Objects.requireNonNull(RequestContextHolder.getRequestAttributes())
                .setAttribute("tenant", "t1", RequestAttributes.SCOPE_REQUEST);
        MDC.put("request", "r1");
    }

    private static void isTheCallers(Seen seen) {
        assertThat(seen.user()).isEqualTo("alice");
        assertThat(seen.locale()).isEqualTo(Locale.CANADA_FRENCH);
        assertThat(seen.tenant()).isEqualTo("t1");
        assertThat(seen.log()).isEqualTo("r1");
    }

    @Test
    void aFutureOfAFreeLockSeesTheContextOfItsCaller() {
        bind();

        CompletableFuture<Seen> result = orders.future("1");

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).satisfies(CallerContextTest::isTheCallers);
    }

    @Test
    void aFutureThatHadToWaitSeesTheContextOfItsCaller() throws InterruptedException {
        bind();
        CompletableFuture<Seen> result;
        try (LockHandle other = heldByOthers("/orders/1")) {
            result = orders.future("1");
            awaitWaitingFor("/orders/1");
            unbind();
        }

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).satisfies(CallerContextTest::isTheCallers);
    }

    @Test
    void aMonoThatHadToWaitSeesTheContextOfItsSubscriber() throws InterruptedException {
        bind();
        CompletableFuture<Seen> result;
        try (LockHandle other = heldByOthers("/orders/1")) {
            result = orders.mono("1").toFuture();
            awaitWaitingFor("/orders/1");
            unbind();
        }

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).satisfies(CallerContextTest::isTheCallers);
    }

    @Test
    void aCallWithinAMethodSeesTheContextOfTheOutermostCaller() {
        bind();

        CompletableFuture<Seen> result = orders.nested("1", () -> orders.future("2"));

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).satisfies(CallerContextTest::isTheCallers);
    }

    @Test
    void theContextOfTheCallerIsRemovedFromTheThread() {
        bind();
        Seen first = orders.future("1").join();
        unbind();
        Seen second = orders.future("2").join();
        for (int i = 0; i < 1_000 && second.thread() != first.thread(); i++) {
            first = second;
            second = orders.future("2").join();
        }

        assertThat(second.thread()).isSameAs(first.thread());
        assertThat(second).isEqualTo(new Seen(null, LocaleContextHolder.getLocale(), null, null, second.thread()));
    }
}
