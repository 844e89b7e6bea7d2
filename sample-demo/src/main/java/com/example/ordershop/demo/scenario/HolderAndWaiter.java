package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ChildJvm;
import com.example.ordershop.demo.process.ScenarioException;
import com.example.ordershop.demo.process.ShopClient.Completion;
import com.example.ordershop.demo.process.ShopClient.Order;
import com.example.ordershop.demo.process.ShopCluster;
import com.example.ordershop.demo.process.ShopProcess;
import io.github.zklock.LockInspector.Seat;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Two shops at one lock: the holder is stopped between computing and writing, and the waiter waits for the lock. If the
 * scenario does not call {@link #end()}, {@link #close()} kills both shops, because a gate may still be closed.
 */
final class HolderAndWaiter implements AutoCloseable {

    static final String LOCK = "/order-stats";

    final ShopProcess holder;
    final ShopProcess waiter;
    final LocalDate day;
    /** Order of the holder. */
    final Order first;
    /** Order of the waiter. */
    final Order second;

    private final ShopCluster cluster;
    private final CompletableFuture<Completion> holding;
    private final CompletableFuture<Completion> waiting;
    private final Seat seat;
    private boolean over;

    private HolderAndWaiter(ShopCluster cluster, ShopProcess holder, ShopProcess waiter) throws InterruptedException {
        this.cluster = cluster;
        this.holder = holder;
        this.waiter = waiter;
        day = cluster.newDay();
        first = holder.client().place(day);
        second = waiter.client().place(day);

        holder.client().closeGate();
        holding = holder.client().completing(first);
        holder.await("it is between computing and writing", () -> {
            failIfAnswered(holding);
            return holder.client().gate().waiting() == 1;
        });
        seat = seatOf(holder)
                .filter(Seat::holds)
                .orElseThrow(() -> new ScenarioException(holder + " does not hold " + LOCK));

        waiting = waiter.client().completing(second);
        waiter.await("it waits for " + LOCK, () -> {
            failIfAnswered(waiting);
            return seatOf(waiter).filter(behind -> !behind.holds()).isPresent();
        });
    }

    static HolderAndWaiter begin(ShopCluster cluster) throws InterruptedException {
        List<ShopProcess> shops = cluster.shops(2);
        HolderAndWaiter pair;
        try {
            pair = new HolderAndWaiter(cluster, shops.get(0), shops.get(1));
        } catch (InterruptedException | RuntimeException failed) {
            shops.forEach(ShopProcess::close);
            throw failed;
        }
        cluster.listener()
                .line("%s holds %s between computing and writing order %d; %s waits with order %d"
                        .formatted(pair.holder, LOCK, pair.first.id(), pair.waiter, pair.second.id()));
        return pair;
    }

    /** Waits until ZooKeeper has ended the session of the holder and removed its seat. The holder cannot remove the seat itself. */
    void awaitEndOfSession() throws InterruptedException {
        waiter.await(
                "ZooKeeper has ended session 0x" + seat.sessionId() + " of " + holder,
                () -> cluster.inspector().queue(LOCK).stream()
                        .noneMatch(each -> each.sessionId().equals(seat.sessionId())));
    }

    /** Returns the response to the holder's order. */
    Completion holderCompletion() throws InterruptedException {
        return answer(holding, holder, first);
    }

    /** Returns the response to the waiter's order. */
    Completion waiterCompletion() throws InterruptedException {
        return answer(waiting, waiter, second);
    }

    /** Marks the scenario as complete: the shops can be used again. */
    void end() {
        over = true;
    }

    String session() {
        return "0x" + seat.sessionId();
    }

    @Override
    public void close() {
        if (!over) {
            holder.close();
            waiter.close();
        }
    }

    private Optional<Seat> seatOf(ShopProcess shop) throws InterruptedException {
        return cluster.inspector().queue(LOCK).stream()
                .filter(each ->
                        each.owner().filter(owner -> owner.pid() == shop.pid()).isPresent())
                .findFirst();
    }

    private static void failIfAnswered(CompletableFuture<Completion> answer) {
        if (answer.isDone()) {
            throw new ScenarioException("An order that must wait was completed at once: "
                    + answer.handle((it, e) -> e == null ? it : e).join());
        }
    }

    private static Completion answer(CompletableFuture<Completion> answer, ShopProcess shop, Order order)
            throws InterruptedException {
        try {
            return answer.get(ChildJvm.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new ScenarioException("Order %d failed: %s".formatted(order.id(), e.getCause()), e);
        } catch (TimeoutException e) {
            throw new ScenarioException(shop + " has not responded for order " + order.id(), e);
        }
    }
}
