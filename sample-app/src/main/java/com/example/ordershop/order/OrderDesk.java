package com.example.ordershop.order;

import com.example.ordershop.order.Completion.Recomputed;
import com.example.ordershop.statistics.RefusedWrites;
import com.example.ordershop.statistics.StaleWriteException;
import com.example.ordershop.stock.Catalogue;
import com.example.ordershop.stock.Quantity;
import java.time.LocalDate;
import java.time.ZoneId;
import org.springframework.stereotype.Service;

/** Where customers place orders and have them completed. Holds no lock itself. */
@Service
class OrderDesk {

    private final Catalogue catalogue;
    private final OrderBook orders;
    private final OrderCompletion completion;
    private final RefusedWrites refusedWrites;

    OrderDesk(Catalogue catalogue, OrderBook orders, OrderCompletion completion, RefusedWrites refusedWrites) {
        this.catalogue = catalogue;
        this.orders = orders;
        this.completion = completion;
        this.refusedWrites = refusedWrites;
    }

    Order place(OrderRequest request) {
        LocalDate day = request.day() == null ? LocalDate.now(ZoneId.systemDefault()) : request.day();
        return orders.add(day, catalogue.product(request.product()), Quantity.of(request.quantity()));
    }

    Completion complete(long orderId) {
        try {
            return completion.complete(orderId);
        } catch (StaleWriteException refusal) {
            Order stillOpen = orders.find(orderId);
            refusedWrites.record(stillOpen.sale(), refusal);
            return Completion.of(stillOpen, Recomputed.REFUSED, refusal.token());
        }
    }
}
