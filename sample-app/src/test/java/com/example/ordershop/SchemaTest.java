package com.example.ordershop;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.stock.Catalogue;
import com.example.ordershop.stock.Product;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@ShopTest
class SchemaTest {

    @Autowired
    Schema schema;

    @Autowired
    Catalogue catalogue;

    @Test
    void secondInstanceFindsTheTablesAsTheyAre() throws Exception {
        List<Product> before = catalogue.products();

        schema.afterPropertiesSet();

        assertThat(catalogue.products())
                .isEqualTo(before)
                .extracting(Product::name)
                .contains("tea");
    }
}
