package io.github.zklock.faults.client;

import io.github.zklock.HandOff;
import io.github.zklock.LockException;
import io.github.zklock.LockRegistry;
import io.github.zklock.faults.client.Answer.Outcome;
import io.github.zklock.faults.record.Disruption;
import io.github.zklock.faults.record.Wish;
import java.util.concurrent.Executor;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Ours, as an application has it: methods with an annotation, in a Spring Boot application that can be closed, and be
 * replaced by another one in the same process.
 */
final class AnnotatedEngine implements Engine {

    // by which the call of this thread goes, also when there is another by now
    private static final ThreadLocal<SpringClient> ASKED = new ThreadLocal<>();

    private final Place place;
    private final HandOff handOff;

    private volatile SpringClient application;

    AnnotatedEngine(Place place, HandOff handOff) {
        this.place = place;
        this.handOff = handOff;
        this.application = SpringClient.start(place, handOff);
    }

    @Override
    public void prepare(Call call) {
        if (isAnnotated(call.wish())) {
            application.methods(call);
        }
    }

    @Override
    public Answer call(Call call, Work work) throws InterruptedException {
        SpringClient client = application;
        ASKED.set(client);
        try {
            return isAnnotated(call.wish())
                    ? Answer.of(ask(client.methods(call), call, work) ? Outcome.GIVEN_BACK : Outcome.EMPTY)
                    : client.byHand().call(call, work);
        } catch (LockException e) {
            return Answer.of(e);
        } catch (DataAccessException | TransactionException e) {
            return Answer.ofWork(Outcome.THREW, e);
        } finally {
            ASKED.remove();
        }
    }

    /** By hand: methods that are in one another give back the inner one first. */
    @Override
    public Answer downgrade(String lock, Work writing, Work reading) throws InterruptedException {
        return application.byHand().downgrade(lock, writing, reading);
    }

    @Override
    public LockRegistry registry() {
        return application.byHand().registry();
    }

    @Override
    public String session() {
        SpringClient client = ASKED.get();
        return (client == null ? application : client).byHand().session();
    }

    @Override
    public Executor executor() {
        return application.executor();
    }

    @Override
    public void disrupt(Disruption disruption) throws Exception {
        application.byHand().disrupt(disruption);
    }

    /** Closes after the successor has started, so that calls of both run at the same time. */
    @Override
    public void change(Change change) {
        SpringClient former = application;
        switch (change) {
            case CLOSE -> former.close();
            case REFRESH -> {
                application = SpringClient.start(place, handOff);
                former.close();
            }
            case BLOCK_LISTENERS -> former.listeners().block();
            case BREAK_LISTENERS -> former.listeners().fail();
            case BREAK_LISTENERS_BY_ERROR -> former.listeners().failByError();
        }
    }

    @Override
    public void close() {
        application.close();
    }

    /** An annotated method takes one permit, and says in its source how many there are. Others are taken by hand. */
    private static boolean isAnnotated(Wish wish) {
        return wish.permits() == 1 && (wish.of() == 1 || wish.of() == 3 || wish.of() == 4);
    }

    private static boolean ask(SpringClientMethods methods, Call call, Work work) throws InterruptedException {
        boolean skip = call.how() == Call.How.TRY;
        Wish wish = call.wish();
        return switch (wish.kind()) {
            case EXCLUSIVE -> skip ? methods.tryAlone(wish, work, null) : methods.alone(wish, work, null);
            case READ -> skip ? methods.tryRead(wish, work, null) : methods.read(wish, work, null);
            case WRITE -> skip ? methods.tryWrite(wish, work, null) : methods.write(wish, work, null);
            case PERMITS ->
                wish.of() == 3
                        ? (skip ? methods.tryOneOfThree(wish, work, null) : methods.oneOfThree(wish, work, null))
                        : (skip ? methods.tryOneOfFour(wish, work, null) : methods.oneOfFour(wish, work, null));
        };
    }
}
