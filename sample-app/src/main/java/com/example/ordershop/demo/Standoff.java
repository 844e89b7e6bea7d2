package com.example.ordershop.demo;

import com.example.ordershop.demo.ShopClient.Completion;
import com.example.ordershop.demo.ShopClient.Order;
import io.github.zklock.LockInspector.Seat;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Two shops and a lock: the holder stands between computing and writing, the other one waits behind it in the queue. If
 * this does not come to its end, both shops are killed, since a gate of theirs may be closed.
 */
final class Standoff implements AutoCloseable {

    static final String LOCK = "/order-stats";

    final ShopProcess holder;
    final ShopProcess waiter;
    final LocalDate day;
    /** Of the holder. */
    final Order first;
    /** Of the one that waits. */
    final Order second;

    private final Stage stage;
    private final CompletableFuture<Completion> holding;
    private final CompletableFuture<Completion> waiting;
    private final Seat seat;
    private boolean over;

    private Standoff(Stage stage, ShopProcess holder, ShopProcess waiter) throws InterruptedException {
        this.stage = stage;
        this.holder = holder;
        this.waiter = waiter;
        day = stage.newDay();
        first = holder.client().place(day);
        second = waiter.client().place(day);

        holder.client().closeGate();
        holding = holder.client().completing(first);
        holder.await("it stands between computing and writing", () -> {
            failIfAnswered(holding);
            return holder.client().gate().waiting() == 1;
        });
        seat = seatOf(holder)
                .filter(Seat::holds)
                .orElseThrow(() -> new StageException(holder + " does not hold " + LOCK));

        waiting = waiter.client().completing(second);
        waiter.await("it waits for " + LOCK, () -> {
            failIfAnswered(waiting);
            return seatOf(waiter).filter(behind -> !behind.holds()).isPresent();
        });
    }

    static Standoff begin(Stage stage) throws InterruptedException {
        List<ShopProcess> shops = stage.shops(2);
        Standoff standoff;
        try {
            standoff = new Standoff(stage, shops.get(0), shops.get(1));
        } catch (InterruptedException | RuntimeException failed) {
            shops.forEach(ShopProcess::close);
            throw failed;
        }
        stage.audience()
                .line("%s holds %s between computing and writing order %d; %s waits with order %d"
                        .formatted(standoff.holder, LOCK, standoff.first.id(), standoff.waiter, standoff.second.id()));
        return standoff;
    }

    /** Waits until the servers have ended the holder's session, with which its seat goes: it cannot have left by itself. */
    void awaitEndOfSession() throws InterruptedException {
        waiter.await(
                "the servers have ended session 0x" + seat.sessionId() + " of " + holder,
                () -> stage.inspector().queue(LOCK).stream()
                        .noneMatch(each -> each.sessionId().equals(seat.sessionId())));
    }

    /** What the holder was answered in the end. */
    Completion holdersAnswer() throws InterruptedException {
        return answer(holding, holder, first);
    }

    /** What the other one was answered. */
    Completion waitersAnswer() throws InterruptedException {
        return answer(waiting, waiter, second);
    }

    /** All that could have been left behind is not: the shops may be used on. */
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
        return stage.inspector().queue(LOCK).stream()
                .filter(each ->
                        each.owner().filter(owner -> owner.pid() == shop.pid()).isPresent())
                .findFirst();
    }

    private static void failIfAnswered(CompletableFuture<Completion> answer) {
        if (answer.isDone()) {
            throw new StageException("An order that was to wait was answered at once: "
                    + answer.handle((it, e) -> e == null ? it : e).join());
        }
    }

    private static Completion answer(CompletableFuture<Completion> answer, ShopProcess shop, Order order)
            throws InterruptedException {
        try {
            return answer.get(ChildJvm.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new StageException("Order %d failed: %s".formatted(order.id(), e.getCause()), e);
        } catch (TimeoutException e) {
            throw new StageException(shop + " has not answered for order " + order.id(), e);
        }
    }
}
