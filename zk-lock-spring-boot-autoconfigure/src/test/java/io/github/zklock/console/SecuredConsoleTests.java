package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.autoconfigure.actuate.ForcedRelease;
import io.github.zklock.console.Browser.Answer;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

/** The console behind Spring Security as it is by default: a login, and tokens against forged requests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SecuredConsoleTests {

    static final UserDetails ALICE = User.withUsername("alice")
            .password("{noop}secret")
            .roles("OPERATOR")
            .build();

    private static final String STATE = "/zk-lock/api/state";
    private static final String RELEASE = "/zk-lock/api/release";

    private final WebApplicationType type;
    private final Class<?> configuration;
    private ConsoleApplication shop;
    private Browser stranger;
    private Browser alice;

    SecuredConsoleTests(WebApplicationType type, Class<?> configuration) {
        this.type = type;
        this.configuration = configuration;
    }

    @BeforeAll
    void start() {
        shop = new ConsoleApplication(type, configuration);
        stranger = shop.browser().with("Host", "shop.example.org").with("X-Forwarded-For", "192.0.2.7");
        alice = stranger.with(
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString("alice:secret".getBytes(StandardCharsets.UTF_8)));
    }

    @AfterAll
    void stop() {
        shop.close();
    }

    @Test
    void anybodyMayLookWhomSpringSecurityLetsPass() {
        assertThat(alice.get(STATE).status()).isEqualTo(200);
        assertThat(stranger.get(STATE).status()).isEqualTo(401);
        assertThat(stranger.with("Host", "localhost").get("/zk-lock/console.js").status())
                .isEqualTo(401);
    }

    @Test
    void aPathThatSpringSecurityLeavesOutIsForThisMachineOnly() {
        Browser leftOut = stranger.with("X-Left-Out", "yes");

        assertThat(leftOut.get(STATE).status()).isEqualTo(403);
        assertThat(leftOut.get(STATE).<String>read("$.error")).contains("zk.lock.console.remote-access");
        assertThat(shop.browser().with("X-Left-Out", "yes").get(STATE).status()).isEqualTo(200);
    }

    @Test
    void thePageReleasesWithATokenAgainstForgedRequests() throws Exception {
        try (ZooKeeperLockRegistry other = shop.otherProcess("billing-1");
                Audit audit = new Audit()) {
            LockHandle stuck = other.lock("/stuck").acquire();
            String seat = other.inspector().queue("/stuck").get(0).id();
            String order = "{\"name\":\"/stuck\",\"seat\":\"" + seat + "\",\"confirm\":\"/stuck\"}";
            Answer state = alice.get(STATE);
            Browser page = alice.with("Origin", "https://shop.example.org")
                    .with("Content-Type", "application/json")
                    .with("Cookie", state.header("Set-Cookie").split(";", 2)[0]);

            Answer forged = page.post(RELEASE, order);
            boolean heldAfterForged = stuck.isHeld();
            Answer released = page.with(
                            state.<String>read("$.release.csrf.header"), state.<String>read("$.release.csrf.token"))
                    .post(RELEASE, order);

            assertThat(forged.status()).isEqualTo(403);
            assertThat(heldAfterForged).isTrue();
            assertThat(released.status()).as(released.body()).isEqualTo(200);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> stuck.state() == LockState.LOST);
            assertThat(audit.lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .singleElement()
                    .asString()
                    .contains("'/stuck'", seat, "'billing-1'", "on behalf of 'alice'");
        }
    }

    /** What is logged of forced releases. */
    private static final class Audit implements AutoCloseable {

        private final Logger logger = (Logger) LoggerFactory.getLogger(ForcedRelease.class);
        private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

        Audit() {
            lines.start();
            logger.addAppender(lines);
        }

        @Override
        public void close() {
            logger.detachAppender(lines);
        }
    }
}
