package io.github.zklock.docs.guide.shop;

import io.github.zklock.event.LockLostEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class LossAlarm {

    private final Pager pager = new Pager();

    // snippet:listener
    @EventListener
    void alarm(LockLostEvent lost) {
        pager.page("Lock " + lost.name() + " lost: " + lost.reason());
    }
    // end:listener

    List<String> pages() {
        return pager.pages;
    }

    /** What somebody was called for. */
    static final class Pager {

        private final List<String> pages = new CopyOnWriteArrayList<>();

        void page(String text) {
            pages.add(text);
        }
    }
}
