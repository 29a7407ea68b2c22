import { z } from 'zod';
import { fromCents } from '../money.ts';
import { operation } from '../operation.ts';

export const getPayment = operation({
  id: 'payments.get',
  summary: 'Reads how an order was paid, and how much of the payment has been paid back.',
  effect: 'read',
  http: { method: 'GET', path: '/orders/{order_id}/payment' },
  input: z.strictObject({ order_id: z.string().describe('The order id, such as 88213') }),
  output: z.strictObject({
    payment_id: z.string(),
    order_id: z.string(),
    method: z.string(),
    amount: z.number(),
    refunded: z.number(),
    captured_at: z.string(),
  }),
  example: { order_id: '88213' },
  errors: ['order_not_found'],
  run: (ctx, input) => {
    const payment =
      ctx.tx.payments.unique('order', [input.order_id]) ??
      ctx.fail('order_not_found', { order_id: input.order_id });
    return {
      payment_id: payment.id,
      order_id: payment.order_id,
      method: payment.method,
      amount: fromCents(payment.amount_cents),
      refunded: fromCents(payment.refunded_cents),
      captured_at: payment.captured_at,
    };
  },
});

export const getProduct = operation({
  id: 'products.get',
  summary: 'Reads one product: name, category and price today.',
  effect: 'read',
  http: { method: 'GET', path: '/products/{product_id}' },
  input: z.strictObject({ product_id: z.string().describe('The product id, such as P-101') }),
  output: z.strictObject({
    product_id: z.string(),
    name: z.string(),
    category: z.string(),
    price: z.number(),
  }),
  example: { product_id: 'P-101' },
  errors: ['product_not_found'],
  run: (ctx, input) => {
    const product =
      ctx.tx.products.get(input.product_id) ??
      ctx.fail('product_not_found', { product_id: input.product_id });
    return {
      product_id: product.id,
      name: product.name,
      category: product.category,
      price: fromCents(product.price_cents),
    };
  },
});
