import os
from collections.abc import Iterator
from typing import Annotated, Any, Optional

import uvicorn
from fastapi import Depends, FastAPI, HTTPException, Query
from pydantic import AwareDatetime, BaseModel
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from models import CustomerId, Order, OrderId, engine


class NewOrder(BaseModel):
    customer: CustomerId


class ShownOrder(BaseModel):
    id: OrderId
    customer: CustomerId
    created_at: AwareDatetime


class Page(BaseModel):
    orders: list[ShownOrder]
    next: Optional[OrderId]


def connect() -> Iterator[Session]:
    with Session(engine, expire_on_commit=False) as session:
        yield session


app = FastAPI()
Database = Annotated[Session, Depends(connect)]


@app.post("/orders", status_code=201, response_model=ShownOrder)
def create(new: NewOrder, session: Database) -> Any:
    order = Order(customer=new.customer)
    session.add(order)
    try:
        session.commit()
    except IntegrityError as error:
        raise HTTPException(422, f"there is no customer {new.customer}") from error
    return order


@app.get("/orders/{id}", response_model=ShownOrder)
def read(id: OrderId, session: Database) -> Any:
    order = session.get(Order, id)
    if order is None:
        raise HTTPException(404, f"there is no order {id}")
    return order


@app.get("/orders", response_model=Page)
def read_page(
    session: Database,
    since: Optional[AwareDatetime] = None,
    after: Optional[OrderId] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Any:
    query = select(Order).order_by(Order.id).limit(limit)
    if since:
        query = query.where(Order.id >= since)
    if after:
        query = query.where(Order.id > after)
    orders = session.scalars(query).all()
    return {"orders": orders, "next": orders[-1].id if len(orders) == limit else None}


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", 8000)))
