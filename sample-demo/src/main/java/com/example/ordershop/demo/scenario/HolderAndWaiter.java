package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ChildJvm;
import com.example.ordershop.demo.process.ScenarioException;
import com.example.ordershop.demo.process.Shop;
import com.example.ordershop.demo.process.ShopClient.Completion;
import com.example.ordershop.demo.process.ShopClient.Order;
import com.example.ordershop.demo.process.ShopClient.Statistics;
import com.example.ordershop.demo.process.ShopCluster;
import io.github.zklock.LockInspector.Seat;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Two shops at one lock: the holder is stopped before its transaction begins, and the waiter waits for the lock. If the
 * scenario does not call {@link #end()}, {@link #close()} kills both shops, because a gate may still be closed.
 */
final class HolderAndWaiter implements AutoCloseable {

    static final String LOCK = "/order-stats";

    final Shop holder;
    final Shop waiter;
    final LocalDate day;
    /** Order of the holder. */
    final Order first;

    private final Order second;
    private final ShopCluster cluster;
    private final Future<Completion> holding;
    private final Future<Completion> waiting;
    private final String session;
    private boolean over;

    private HolderAndWaiter(ShopCluster cluster, Shop holder, Shop waiter) throws InterruptedException {
        this.cluster = cluster;
        this.holder = holder;
        this.waiter = waiter;
        day = cluster.newDay();
        first = holder.client().place(day);
        second = waiter.client().place(day);

        holder.client().closeGate();
        holding = holder.client().completing(first);
        holder.process().await("it holds " + LOCK + " and has not begun its transaction", () -> {
            failIfAnswered(holding, first);
            return holder.client().waitingAtGate() == 1;
        });
        session = seatOf(holder)
                .filter(Seat::holds)
                .orElseThrow(() -> new ScenarioException(holder + " does not hold " + LOCK))
                .sessionId();

        waiting = waiter.client().completing(second);
        waiter.process().await("it waits for " + LOCK, () -> {
            failIfAnswered(waiting, second);
            return seatOf(waiter).filter(behind -> !behind.holds()).isPresent();
        });
    }

    static HolderAndWaiter begin(ShopCluster cluster) throws InterruptedException {
        List<Shop> shops = cluster.shops(2);
        HolderAndWaiter pair;
        try {
            pair = new HolderAndWaiter(cluster, shops.get(0), shops.get(1));
        } catch (InterruptedException | RuntimeException failed) {
            shops.forEach(shop -> shop.process().close());
            throw failed;
        }
        cluster.report("%s holds %s and has not begun the transaction of order %d; %s waits with order %d"
                .formatted(pair.holder, LOCK, pair.first.id(), pair.waiter, pair.second.id()));
        return pair;
    }

    /** Waits until ZooKeeper has ended the session of the holder and removed its seat. The holder cannot remove the seat itself. */
    void awaitEndOfSession() throws InterruptedException {
        waiter.process()
                .await(
                        "ZooKeeper has ended session 0x" + session + " of " + holder,
                        () -> cluster.inspector().queue(LOCK).stream()
                                .noneMatch(each -> each.sessionId().equals(session)));
        cluster.report("ZooKeeper has ended its session 0x" + session);
    }

    /** Returns the response to the holder's order. */
    Completion holderCompletion() throws InterruptedException {
        return answer(holding, first);
    }

    /** Returns the response to the waiter's order. */
    Completion waiterCompletion() throws InterruptedException {
        return answer(waiting, second);
    }

    /** Returns the statistics of the day, from the shop of the waiter. */
    Statistics statistics() throws InterruptedException {
        return waiter.client().statistics(day);
    }

    /** Marks the scenario as complete: the shops can be used again. */
    void end() {
        over = true;
    }

    @Override
    public void close() {
        if (!over) {
            holder.process().close();
            waiter.process().close();
        }
    }

    private Optional<Seat> seatOf(Shop shop) throws InterruptedException {
        return cluster.inspector().queue(LOCK).stream()
                .filter(each -> each.owner()
                        .filter(owner -> owner.pid() == shop.process().handle().pid())
                        .isPresent())
                .findFirst();
    }

    private static void failIfAnswered(Future<Completion> completion, Order order) throws InterruptedException {
        if (completion.isDone()) {
            throw new ScenarioException("An order that must wait was completed at once: " + answer(completion, order));
        }
    }

    private static Completion answer(Future<Completion> completion, Order order) throws InterruptedException {
        try {
            return completion.get(ChildJvm.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new ScenarioException("Order %d failed: %s".formatted(order.id(), e.getCause()), e);
        } catch (TimeoutException e) {
            throw new ScenarioException("There is no response for order " + order.id(), e);
        }
    }
}
