package io.github.zklock.docs.guide.shop;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.reactive.ReactiveLockContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@Service
class ReactiveStats {

    private final Repository repository = new Repository();

    // snippet:mono
    @DistributedLock("/order-stats")
    public Mono<Long> add(Flux<Long> amounts) { // acquired at each subscription, held until it completes
        return amounts.reduce(0L, Long::sum).flatMap(this::save);
    }
    // end:mono

    private Mono<Long> save(long stats) {
        // snippet:assert
        return ReactiveLockContext.assertHeld("/order-stats").then(repository.save(stats));
        // end:assert
    }

    // snippet:stage
    @DistributedLock("/exports/#{#day}")
    public CompletableFuture<String> export(String day) { // held until the future is done
        return CompletableFuture.supplyAsync(() -> "orders of " + day);
    }
    // end:stage

    /** What was saved last. */
    static final class Repository {

        private final AtomicLong saved = new AtomicLong();

        Mono<Long> save(long stats) {
            return Mono.fromCallable(() -> {
                saved.set(stats);
                return stats;
            });
        }
    }
}
