package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockState;
import io.github.zklock.fixture.Actor;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;

class MvcEndpointTest extends EndpointHttpTests {

    private static final String HEALTH = "/actuator/health/zklock";

    MvcEndpointTest() {
        super(
                WebApplicationType.SERVLET,
                "management.endpoint.zklocks.access=unrestricted",
                // the request during the outage takes this time
                "zk.lock.connection-timeout=3s");
    }

    @Test
    void reportsTheLossToItsHolderAndLogsTheCaller() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        try (Audit audit = new Audit()) {
            LockHandle stuck = other.lock("/stuck").acquire();
            stuck.onLost(told::countDown);
            Seat head = shop.registry().inspector().queue("/stuck").get(0);

            shop.deleteAs("al\tice", ENDPOINT + "/stuck?seat=" + head.id());

            assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(stuck.state()).isEqualTo(LockState.LOST);
            assertThat(audit.lines())
                    .singleElement()
                    .asString()
                    .contains("'/stuck'", head.id(), "'billing-1'", "on behalf of 'al ice'");
        }
    }

    @Test
    void releasesALockByForce() throws Exception {
        try (Actor clerk = new Actor("clerk")) {
            LockHandle stuck = clerk.run(() -> other.lock("/taken").acquire());
            Seat head = shop.registry().inspector().queue("/taken").get(0);

            HttpResponse<String> answer = shop.delete(ENDPOINT + "/taken?seat=" + head.id());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(this.<String>read(answer, "$.outcome")).isEqualTo("RELEASED");
            assertThat(this.<String>read(answer, "$.owner.instance")).isEqualTo("billing-1");
            assertThat(shop.registry().inspector().queue("/taken")).isEmpty();
            assertThat(stuck.name().value()).isEqualTo("/taken");
        }
    }

    @Test
    void takesALockThatIsNamedByAParameterAndTellsThatItMay() throws Exception {
        LockHandle stuck = other.lock("/odd/%2e%2e").acquire();
        Seat head = shop.registry().inspector().queue("/odd/%2e%2e").get(0);

        HttpResponse<String> answer = shop.delete(ENDPOINT + "?name=/odd/%252e%252e&seat=" + head.id());

        assertThat(this.<Boolean>read(shop.get(ENDPOINT), "$.releasable")).isTrue();
        assertThat(this.<String>read(answer, "$.outcome")).isEqualTo("RELEASED");
        Awaitility.await().until(() -> stuck.state() == LockState.LOST);
    }

    @Test
    void doesNotReleaseAWaitingSeat() throws Exception {
        try (LockHandle taken = other.lock("/busy").acquire();
                Actor clerk = new Actor("clerk")) {
            Future<LockHandle> wait =
                    clerk.start(() -> shop.registry().lock("/busy").acquire());
            Awaitility.await()
                    .until(() -> shop.registry().inspector().queue("/busy").size() == 2);
            Seat waiting = shop.registry().inspector().queue("/busy").get(1);

            HttpResponse<String> answer = shop.delete(ENDPOINT + "/busy?seat=" + waiting.id());

            assertThat(answer.statusCode()).isEqualTo(409);
            assertThat(this.<String>read(answer, "$.outcome")).isEqualTo("NOT_HOLDING");
            assertThat(taken.isHeld()).isTrue();
            taken.close();
            Actor.join(wait).close();
        }
    }

    @Test
    void reportsAMissingSeat() {
        HttpResponse<String> answer = shop.delete(ENDPOINT + "/empty?seat=5f0c8f3e-27d1-4d3c-9f3b-0d6f2f1c9a11");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(this.<String>read(answer, "$.outcome")).isEqualTo("NOT_FOUND");
    }

    @Test
    void rejectsAReleaseWithoutASeat() {
        assertThat(shop.delete(ENDPOINT + "/invoices/41").statusCode()).isEqualTo(400);
    }

    @Test
    void theDocsShowTheResponsesOfTheApplication() throws Exception {
        Transcripts docs = new Transcripts(shop);
        try (Actor checkout = new Actor("checkout-1");
                Actor refund = new Actor("refund-1");
                Actor billing = new Actor("billing")) {
            LockHandle held =
                    checkout.run(() -> shop.registry().lock("/orders/42").acquire());
            Future<LockHandle> here =
                    refund.start(() -> shop.registry().lock("/orders/42").acquire());
            Awaitility.await().until(() -> shop.registry().inspector().awaited().size() == 1);
            Future<LockHandle> elsewhere =
                    billing.start(() -> other.lock("/orders/42").acquire());
            Awaitility.await()
                    .until(() -> shop.registry().inspector().queue("/orders/42").size() == 2);
            String head = shop.registry().inspector().queue("/orders/42").get(0).id();

            docs.get("health-up", HEALTH);
            docs.get("endpoint", ENDPOINT);
            docs.get("queue", ENDPOINT + "/orders/42");
            docs.delete("release", ENDPOINT + "/orders/42?seat=" + head);

            Awaitility.await().until(() -> held.state() == LockState.LOST);
            Actor.join(elsewhere).close();
            Actor.join(here).close();
        }
        shop.network().refuse();
        Awaitility.await().until(() -> shop.get(HEALTH).statusCode() == 503);

        assertThat(shop.get(HEALTH).body()).contains("no lock can be acquired, held locks may be lost");
        HttpResponse<String> outage = shop.get(ENDPOINT + "/orders/42");
        assertThat(outage.statusCode()).isEqualTo(503);
        assertThat(outage.body()).contains("not inspected: ZooKeeper did not answer within 3 s");

        shop.network().heal();
        Awaitility.await().until(() -> shop.get(HEALTH).statusCode() == 200);
        docs.compareOrRewrite();
    }

    /** Records the log of forced releases. */
    private static final class Audit implements AutoCloseable {

        private final Logger logger = (Logger) LoggerFactory.getLogger(ForcedRelease.class);
        private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

        Audit() {
            lines.start();
            logger.addAppender(lines);
        }

        List<String> lines() {
            return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        }

        @Override
        public void close() {
            logger.detachAppender(lines);
        }
    }
}
