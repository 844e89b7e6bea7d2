package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockException;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * The endpoint {@code zklocks} over HTTP. The status is 400 for an invalid request and 503 if ZooKeeper does not
 * answer, each with the reason as its body. A forced release without effect has the status 404 or 409.
 */
@RegisterReflectionForBinding(LocksWebExtension.Refusal.class)
@EndpointWebExtension(endpoint = LocksEndpoint.class)
final class LocksWebExtension {

    private final LocksEndpoint endpoint;

    LocksWebExtension(LocksEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * @param name if set, the queue of the lock with this name is returned; as a parameter, the name need not be
     *     encoded in the path
     */
    @ReadOperation
    WebEndpointResponse<Object> locks(
            @Nullable String name,
            @Nullable String prefix,
            @Nullable String after,
            @Nullable Integer limit,
            @Nullable Boolean queues,
            @Nullable Boolean history,
            @Nullable String registry) {
        return name == null
                ? answer(() ->
                        new WebEndpointResponse<>(endpoint.locks(prefix, after, limit, queues, history, registry)))
                : queue(new String[] {name}, registry);
    }

    @ReadOperation
    WebEndpointResponse<Object> queue(@Selector(match = Match.ALL_REMAINING) String[] name, @Nullable String registry) {
        return answer(() -> new WebEndpointResponse<>(endpoint.queue(name, registry)));
    }

    @DeleteOperation
    WebEndpointResponse<Object> release(
            @Selector(match = Match.ALL_REMAINING) String[] name,
            String seat,
            @Nullable String registry,
            SecurityContext security) {
        return answer(() -> {
            ReleaseReport report = endpoint.release(name, seat, registry, ForcedRelease.asker(security.getPrincipal()));
            return new WebEndpointResponse<>(report, report.outcome().httpStatus());
        });
    }

    /** Releases the lock with this name. As a parameter, the name need not be encoded in the path. */
    @DeleteOperation
    WebEndpointResponse<Object> releaseByName(
            String name, String seat, @Nullable String registry, SecurityContext security) {
        return release(new String[] {name}, seat, registry, security);
    }

    private static WebEndpointResponse<Object> answer(Question question) {
        try {
            return question.ask();
        } catch (IllegalArgumentException notAQuestion) {
            return refusal(notAQuestion.getMessage(), WebEndpointResponse.STATUS_BAD_REQUEST);
        } catch (LockException noAnswer) {
            return refusal(noAnswer.getMessage(), WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return refusal("The request to ZooKeeper was interrupted", WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        }
    }

    private static WebEndpointResponse<Object> refusal(@Nullable String reason, int status) {
        return new WebEndpointResponse<>(new Refusal(String.valueOf(reason)), status);
    }

    /** The reason for a failed request, as JSON. */
    record Refusal(String error) implements OperationResponseBody {}

    @FunctionalInterface
    private interface Question {
        WebEndpointResponse<Object> ask() throws InterruptedException;
    }
}
